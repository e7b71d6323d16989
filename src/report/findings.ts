/** Findings of a run beside its proofs: its likeliest programs and their productions. */
import { type Ask, byStage, json, type Row } from "./rows.ts";

/** One of the programs of largest target. */
export interface FoundProgram {
  readonly text: string;
  /** Its productions, in the order of choice. */
  readonly features: readonly string[];
  /** Unit left out; the score is ELPD-LOO, or ELPD-LFO where this is `future`. */
  readonly unit: string;
  readonly elpd_loo: number;
  /** Its share of the target, and of the policy. */
  readonly target: number;
  readonly policy: number;
  /** ELPD-LOO less that of the likeliest program, row by row; 0 for itself, null if not pointwise. */
  readonly difference: number | null;
  /** Standard error of the difference, over observations. */
  readonly difference_se: number | null;
}

/** The probability that a program has a production. */
export interface FoundProduction {
  readonly production: string;
  readonly prior: number;
  readonly target: number;
  readonly policy: number;
}

/** Findings of one stage by enumeration. */
export interface StageFindings {
  readonly stage: string;
  /** The ten of largest target that have a score. */
  readonly programs: readonly FoundProgram[];
  /** The sixteen whose probability the data changed the most. */
  readonly productions: readonly FoundProduction[];
}

/** Findings of a run. */
export interface Findings {
  /** By stage. */
  readonly stages: readonly StageFindings[];
  /** True if the run has programs that can be written as files. */
  readonly hasPrograms: boolean;
}

/** Reads the findings of a run; without an enumeration there are none. */
export async function readFindings(ask: Ask): Promise<Findings> {
  const stages = (await ask("select distinct stage from enumeration order by stage"))
    .map(({ stage }) => String(stage));
  const programs = byStage(await ask(programSql));
  const productions = byStage(await ask(productionSql));
  const [{ scored }] = await ask("select count(*) > 0 as scored from execution");
  return {
    stages: stages.map((stage) => ({
      stage,
      programs: (programs.get(stage) ?? []).map(programOf),
      productions: (productions.get(stage) ?? []).map(productionOf),
    })),
    hasPrograms: scored === true && stages.length > 0,
  };
}

const programSql = `
  with scored as (
    select e.stage, e.program as text, e.features, e.log_target, e.log_policy, x.elpd_loo,
      coalesce(x.unit, 'row') as unit, x.elpd_pointwise,
      row_number() over (partition by e.stage order by e.log_target desc, e.idx) as place
    from enumeration e join execution x on x.program_sha256 = e.scored_sha256
    where x.elpd_loo is not null),
  best as (select stage, elpd_pointwise as p from scored where place = 1),
  compared as (
    select scored.*, list_transform(list_zip(elpd_pointwise, best.p), lambda z: z[1] - z[2]) as d
    from scored join best using (stage) where place <= 10)
  select stage, text, features, unit, elpd_loo, exp(log_target) as target, exp(log_policy) as policy,
    list_sum(d) as difference, sqrt(len(d) * list_var_pop(d)) as difference_se
  from compared order by stage, place`;

const productionSql = `
  select stage, production, prior, target, policy from inclusion
  qualify row_number() over (
    partition by stage order by abs(target - prior) desc, production) <= 16
  order by stage, abs(target - prior) desc, production`;

function programOf(row: Row): FoundProgram {
  return {
    text: String(row.text),
    features: json(row.features) as string[],
    unit: String(row.unit),
    elpd_loo: Number(row.elpd_loo),
    target: Number(row.target),
    policy: Number(row.policy),
    difference: row.difference as number | null,
    difference_se: row.difference_se as number | null,
  };
}

function productionOf({ production, prior, target, policy }: Row): FoundProduction {
  return {
    production: String(production),
    prior: Number(prior),
    target: Number(target),
    policy: Number(policy),
  };
}
