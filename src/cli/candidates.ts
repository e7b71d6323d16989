/** The programs of a run that are compared and mixed: one for each canonical graph. */
import { countedSql } from "../report/counted_sql.ts";
import { inputError } from "../base/diagnostic.ts";

/** Record of a program that a run scored. */
export interface Candidate {
  /** The program's text. */
  readonly text: string;
  /** Productions, if it was enumerated. */
  readonly features: readonly string[];
  /** Share of the target, of all derivations of the same graph together. */
  readonly target: number;
  /** Share of the policy, likewise; null where none was evaluated. */
  readonly policy: number | null;
  readonly elpd_loo: number;
  readonly p_loo: number;
  readonly mcse: number;
  /** Unit left out at once. */
  readonly unit: string;
  /** `[units]`. */
  readonly elpd_pointwise: readonly number[];
  /** Units whose Pareto k is too high and that were not refitted. */
  readonly unresolved: number;
  /** How the run calls it, if it is one of its published programs. */
  readonly reference?: string | null;
}

/** By what the candidates are chosen. */
type CandidateOrder = "target" | "policy" | "elpd";

const orderSql: Readonly<Record<CandidateOrder, string>> = {
  target: "target desc",
  policy: "policy desc",
  elpd: "elpd_loo desc",
};

/**
 * The first `top` programs of a run with a score, by target or policy where it enumerated them, else
 * by ELPD; with `references`, the published programs that the run names as well.
 *
 * @throws InputError, if the run has scored no program.
 */
export async function readCandidates(
  project: string,
  run: string,
  top: number,
  order: CandidateOrder,
  references = false,
): Promise<Candidate[]> {
  const { query } = await import("../pipeline/store/sql/mod.ts");
  const enumerated = await query(project, `select 1 from ${countedSql} limit 1`, { run });
  const known = enumerated.rows.length > 0;
  const sql = known ? enumeratedSql(order, top, references) : executedSql(top);
  const found = (await query(project, sql, { run })).objects() as unknown as Candidate[];
  if (found.length > 0) return found;
  const hint = "a run scores programs in a stage of kind sandbox_execute or evaluate_kl";
  throw inputError("compare/none", `Run ${run} has scored no program`, undefined, hint);
}

const scoreColumns = `x.elpd_loo, x.p_loo, x.mcse, coalesce(x.unit, 'row') as unit,
      x.elpd_pointwise, coalesce(len(x.unresolved), 0)::integer as unresolved`;

function enumeratedSql(order: CandidateOrder, top: number, references: boolean): string {
  return `with published as (
    select detail->>'program' as sha256, first(message) as reference from event
    where kind = 'reference' group by all
  ),
  twins as (
    select e.program as text, e.features, e.idx, p.reference, ${scoreColumns},
      sum(exp(e.log_target)) over graph as target,
      sum(exp(e.log_policy)) over graph as policy,
      row_number() over (partition by x.canonical_hash order by e.log_target desc, e.idx) as place
    from ${countedSql} e
      join execution x on x.program_sha256 = e.scored_sha256 and x.run_id = e.run_id
      left join published p on p.sha256 = e.program_sha256
    where x.elpd_pointwise is not null
    window graph as (partition by x.canonical_hash)
  )
  select * exclude (idx, place) from twins where place = 1
  qualify row_number() over (order by ${orderSql[order]}, idx) <= ${top}
    ${references ? "or reference is not null" : ""}
  order by ${orderSql[order]}, idx`;
}

function executedSql(top: number): string {
  return `select x.program as text, [] as features, 0.0 as target, 0.0 as policy, ${scoreColumns}
    from execution x where x.elpd_pointwise is not null
    qualify row_number() over (partition by x.canonical_hash order by x.program_sha256) = 1
    order by x.elpd_loo desc, x.program_sha256 limit ${top}`;
}
