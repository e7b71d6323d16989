/** Makes the certificate of a finished run from its database. */
import { join } from "node:path";
import {
  type Certificate,
  type CertificateMeasure,
  certificateSchema,
} from "../ports/certificate.ts";
import type { Ask } from "./report.ts";

type Row = Readonly<Record<string, unknown>>;
type Evaluation = Certificate["evaluations"][number];
type Reference = NonNullable<Evaluation["references"]>[number];

/** Measures that are taken of the policy and of what stands beside it, the longest name first. */
const compared = [
  "kl_target_policy",
  "kl_policy_target",
  "kl_target",
  "log_reward",
  "effective_programs",
  "lost_mass",
  "elbo_gap",
  "eubo_gap",
  "distinct",
  "jsd",
  "tv",
] as const;

/** Names that look like a measure with a suffix and are none. */
const whole: ReadonlySet<string> = new Set([
  "kl_target_policy",
  "kl_policy_target",
  "tv_sub_support",
  "effective_programs_target",
]);

/** Fractions of the objects of largest reward whose mass is compared. */
const topFractions = [0.001, 0.01, 0.1] as const;

/** The certificate, or undefined if the run evaluated nothing. */
export async function readCertificate(ask: Ask): Promise<Certificate | undefined> {
  const stages = await ask(
    "select distinct stage from evaluation where step = 0 order by stage",
  );
  if (stages.length === 0) return undefined;
  const [run] = await ask("select run_id, pipeline, name, seed, versions from run");
  const evaluations: Evaluation[] = [];
  for (const { stage } of stages) evaluations.push(await readEvaluation(ask, String(stage)));
  return certificateSchema.parse({
    format: 1,
    run: { ...run, seed: Number(run.seed), versions: json(run.versions) },
    evaluations,
    course: await readCourse(ask),
    artifacts: await readArtifacts(ask),
  });
}

/** Writes `certificate.json` into the folder of a run; gives what it wrote. */
export async function writeCertificate(ask: Ask, folder: string): Promise<Certificate | undefined> {
  const certificate = await readCertificate(ask);
  if (!certificate) return undefined;
  const text = `${JSON.stringify(certificate, null, 2)}\n`;
  await Deno.writeTextFile(join(folder, "certificate.json"), text);
  return certificate;
}

async function readEvaluation(ask: Ask, stage: string): Promise<Evaluation> {
  const at = `stage = ${quoted(stage)} and step = 0`;
  const rows = await ask(`select * from evaluation where ${at} order by name`);
  const beside: Record<string, Record<string, CertificateMeasure>> = {};
  const policy: Record<string, CertificateMeasure> = {};
  for (const row of rows) {
    const [name, suffix] = split(String(row.name));
    if (suffix === "") policy[name] = measureOf(row);
    else (beside[suffix] ??= {})[name] = measureOf(row);
  }
  const remarks = await ask(
    `select distinct message from event where stage = ${quoted(stage)}
     and kind in ('moves_optimum', 'external_reward') order by message`,
  );
  const references = await ask(
    `select detail from event where stage = ${quoted(stage)} and kind = 'reference'`,
  );
  return {
    stage,
    exact: policy.tv?.method === "exact enumeration",
    trajectories: Number(rows[0].trajectories),
    distinct_evaluations: Number(rows[0].distinct_evaluations),
    policy,
    beside,
    remarks: remarks.map(({ message }) => String(message)),
    attribution: (await ask(attributionSql(at))).map(attributionOf),
    lengths: (await ask(lengthSql(at))).map(lengthOf),
    modes: await Promise.all(topFractions.map(async (top) => {
      return modeOf(top, (await ask(modeSql(at, top)))[0]);
    })).then((modes) => modes.filter(({ objects }) => objects > 0)),
    ...(references.length > 0
      ? { references: references.map(({ detail }) => json(detail) as Reference) }
      : {}),
  };
}

/** `tv_prior` is `tv` of `prior`; what is not a measure with a suffix is the policy's own. */
function split(name: string): readonly [string, string] {
  if (whole.has(name)) return [name, ""];
  const base = compared.find((one) => name.startsWith(`${one}_`));
  return base ? [base, name.slice(base.length + 1)] : [name, ""];
}

function measureOf({ value, mcse, ci_lo, ci_hi, n, method }: Row): CertificateMeasure {
  return {
    value: real(value),
    mcse: real(mcse),
    ci_lo: real(ci_lo),
    ci_hi: real(ci_hi),
    n: Number(n),
    method: String(method),
  };
}

type Real = CertificateMeasure["value"];

function real(value: unknown): Real {
  const number = Number(value);
  return Number.isFinite(number) ? number : String(number) as Real;
}

function attributionSql(at: string): string {
  return `select prefix, text, kl_target_policy, kl_policy_target, share from attribution
    where ${at} order by kl_target_policy desc, text`;
}

function attributionOf({ prefix, text, kl_target_policy, kl_policy_target, share }: Row) {
  return {
    prefix: json(prefix) as number[],
    text: String(text),
    kl_target_policy: real(kl_target_policy),
    kl_policy_target: real(kl_policy_target),
    share: real(share),
  };
}

function lengthSql(at: string): string {
  return `select len(tokens) as length, count(*) as objects, sum(exp(log_target)) as target,
      sum(exp(log_policy)) as policy
    from enumeration where ${at} group by len(tokens) order by length`;
}

function lengthOf({ length, objects, target, policy }: Row): Evaluation["lengths"][number] {
  return {
    length: Number(length),
    objects: Number(objects),
    target: real(target),
    policy: real(policy),
  };
}

/** Objects whose reward is at least that of the last of the best `top`. */
function modeSql(at: string, top: number): string {
  return `with ranked as (
      select log_target, log_policy, row_number() over (order by log_target desc, idx) as place,
        count(*) over () as objects
      from enumeration where ${at}),
    cut as (select min(log_target) as least from ranked where place <= ${top} * objects)
    select count(*) as objects, coalesce(sum(exp(log_target)), 0) as target,
      coalesce(sum(exp(log_policy)), 0) as policy,
      coalesce(avg(case when log_policy >= log_target - ln(2) then 1 else 0 end), 0) as covered
    from ranked, cut where log_target >= least`;
}

function modeOf(top: number, { objects, target, policy, covered }: Row) {
  return {
    top,
    objects: Number(objects),
    target: real(target),
    policy: real(policy),
    covered: Number(covered),
  };
}

async function readCourse(ask: Ask): Promise<Certificate["course"]> {
  const rows = await ask(
    `pivot (
       select stage, step, trajectories, distinct_evaluations, name, value from evaluation
       where step > 0 and name in ('tv', 'kl_target_policy', 'kl_policy_target'))
     on name in ('tv', 'kl_target_policy', 'kl_policy_target') using first(value)
     group by stage, step, trajectories, distinct_evaluations order by stage, step`,
  );
  return rows.map((row) => ({
    stage: String(row.stage),
    step: Number(row.step),
    trajectories: Number(row.trajectories),
    distinct_evaluations: Number(row.distinct_evaluations),
    ...optional(row, "tv"),
    ...optional(row, "kl_target_policy"),
    ...optional(row, "kl_policy_target"),
  }));
}

function optional(row: Row, name: string): Record<string, Real> {
  return row[name] === null || row[name] === undefined ? {} : { [name]: real(row[name]) };
}

async function readArtifacts(ask: Ask): Promise<Certificate["artifacts"]> {
  const rows = await ask(
    "select stage, port, sha256 from stage_io where direction = 'out' order by stage, port",
  );
  return Object.fromEntries(
    rows.map(({ stage, port, sha256 }) => [`${stage}.${port}`, String(sha256)]),
  );
}

/** A JSON column, as text or as what it was parsed to. */
function json(value: unknown): unknown {
  return typeof value === "string" ? JSON.parse(value) : value;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
