/** A pipeline as `run --smoke` runs it: a table in the policy's place, two steps of each loop, one whole trace. */
import { literal } from "../pipeline/basics/mod.ts";
import type { ResolvedPipeline, ResolvedStage } from "../pipeline/read/mod.ts";
import { askRuns } from "./ask_runs.ts";
import type { RunFlags } from "./run_and_report.ts";

/** Steps of a loop and of a warm start. */
const steps = 2;

/** Trajectories of a batch, unless groups want more. */
const batch = 4;

/**
 * Values that are laid over a pipeline, as `--set` takes it: loops have two steps, batches four trajectories,
 * policies by name are tables, which need no weights. Where a file of examples is learnt the policy
 * stays: it reads the file by its own tokens.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { smokeValues } from "./smoke.ts";
 * const stage = (name: string, kind: string, rawParams = {}) => ({ name, kind, rawParams });
 * const sample = stage("train.sample", "sample", { batch_size: 32 });
 * const policy = stage("start", "policy", { policy: { kind: "transformer" } });
 * assert.deepEqual(smokeValues([policy, { ...stage("train", "loop"), loop: { stages: [sample] } }]), [
 *   'stages.start.policy={kind="table"}',
 *   "stages.train.steps=2",
 *   "stages.train.stages.sample.batch_size=4",
 * ]);
 * ```
 */
export function smokeValues(stages: readonly SmokedStage[]): string[] {
  return stages.flatMap((one) => [...ownValues(one), ...smokeValues(one.loop?.stages ?? [])]);
}

/** The part of a stage that is tried. */
type SmokedStage = Pick<ResolvedStage, "name" | "kind" | "rawParams"> & {
  readonly loop?: { readonly stages: readonly SmokedStage[] };
};

function ownValues({ name, kind, rawParams }: SmokedStage): string[] {
  const path = `stages.${name.replaceAll(".", ".stages.")}`;
  const { policy, file, epochs, group_size: group } = rawParams;
  const isNamed = isKind(policy) && !isPath(policy.kind) && policy.kind !== "table";
  const isShort = kind === "loop" || (kind === "sft" && epochs === undefined);
  return [
    ...(isNamed && file === undefined ? [`${path}.policy={kind="table"}`] : []),
    ...(isShort ? [`${path}.steps=${steps}`] : []),
    ...(kind === "sample" ? [`${path}.batch_size=${Math.max(batch, Number(group ?? 0))}`] : []),
  ];
}

/** Of one's own, whose parameters nothing else has. */
function isPath(kind: string): boolean {
  return /[./]/.test(kind);
}

function isKind(value: unknown): value is { readonly kind: string } {
  return typeof value === "object" && value !== null && "kind" in value &&
    typeof value.kind === "string";
}

/** Loops, and what they need: evaluations behind them would cost what two steps do not show. */
export function smokeSelection({ stages }: ResolvedPipeline): RunFlags["select"] {
  const loops = stages.filter(({ loop }) => loop).map(({ name }) => name);
  return loops.length > 0 ? { to: loops } : undefined;
}

type Row = Readonly<Record<string, unknown>>;

/** The last trajectory of a run, with all that is recorded of it, a line each; nothing of a run without. */
export async function traceOf(root: string, run: string): Promise<string[]> {
  return await askRuns(root, [run], async (ask) => {
    const [found] = await ask(`select * from trajectory where not coalesce(replayed, false)
      order by step desc, (log_reward is null), idx limit 1`) as Row[];
    if (!found) return [];
    const about = (sql: string) => ask(sql) as Promise<Row[]>;
    const loop = String(found.stage).replace(/\.[^.]*$/, "");
    const own = `program = ${literal(String(found.program))}`;
    const executed = await about(
      `select status, class, elpd_loo from execution where ${own} limit 1`,
    );
    const judged = await about(`select judge, any_value(score) as score from judgement where ${own}
      group by judge order by judge`);
    const asked = await about(`select oracle, "of" as part, len(ids) as tokens,
      list_sum(log_probs) as log_p from oracle_call where ${own} order by term`);
    const learned = await about(`select name, value from metric
      where step = ${found.step} and stage = ${literal(`${loop}.learn`)} order by name`);
    return linesOf(found, { executed, judged, asked, learned });
  });
}

function linesOf(
  found: Row,
  more: Readonly<Record<"executed" | "judged" | "asked" | "learned", readonly Row[]>>,
): string[] {
  const line = (name: string, value: unknown) =>
    value === null || value === undefined ? [] : [`  ${name.padEnd(14)} ${shown(value)}`];
  return [
    `trace: ${found.stage}, step ${found.step}, trajectory ${found.idx}`,
    ...line("prompt", found.prompt),
    ...line("actions", found.tokens),
    ...line("object", found.program),
    ...fields(found).filter(([name]) => name.startsWith("log_"))
      .flatMap(([name, value]) => line(name, value)),
    ...more.executed.flatMap(fields).flatMap(([name, value]) => line(name, value)),
    ...more.judged.flatMap(({ judge, score }) => line(`${judge}`, score)),
    ...more.asked.flatMap(({ oracle, part, tokens, log_p }) =>
      line(`${oracle}: ${part}`, `log p = ${shown(log_p)} of ${tokens} tokens`)
    ),
    ...more.learned.flatMap(({ name, value }) => line(`${name}`, value)),
  ];
}

function fields(row: Row): [string, unknown][] {
  return Object.entries(row);
}

function shown(value: unknown): string {
  if (typeof value === "number") return `${Number(value.toPrecision(6))}`;
  if (Array.isArray(value)) return value.join(" ");
  const text = String(value).trimEnd();
  return text.includes("\n") ? `\n${text.replaceAll(/^/gm, "    ")}` : text;
}
