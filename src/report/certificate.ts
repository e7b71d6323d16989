/** Makes the certificate of a finished run from its database: facts, which all renderings show. */
import { join } from "node:path";
import { printableJson } from "../base/printable.ts";
import { subjectKinds } from "../base/measure_subject.ts";
import { asVerdict } from "../base/verdicts.ts";
import {
  type Certificate,
  type CertificateBaseline,
  type CertificateEvaluation,
  type CertificateExplorer,
  type CertificateMeasure,
  type CertificateReal,
  certificateSchema,
} from "./certificate_schema.ts";
import * as sql from "./certificate_sql.ts";
import { byInstance, instanceOf, spreadsOf } from "./spread.ts";
import { type Ask, byStage, json, present, type Row } from "./rows.ts";

type Reference = NonNullable<CertificateEvaluation["references"]>[number];

/** Rows of what belongs to an evaluation, by stage. */
type Parts = Readonly<
  Record<keyof typeof sql.partsOfEvaluation, ReadonlyMap<string, readonly Row[]>>
>;

/** The certificate, or undefined if the run evaluated nothing. */
export async function readCertificate(ask: Ask): Promise<Certificate | undefined> {
  const evaluations = await readEvaluations(ask);
  const course = (await ask(sql.course)).map(pointOf);
  if (evaluations.length + course.length === 0) return undefined;
  const [run] = await ask("select run_id, pipeline, name, seed, versions from run");
  const staleness = (await ask(sql.staleness))
    .map(({ stage, steps }) => ({ stage: String(stage), steps: Number(steps) }));
  const spread = spreadsOf(evaluations, Number(run.seed));
  return certificateSchema.parse({
    format: 2,
    run: { ...run, seed: Number(run.seed), versions: json(run.versions) },
    evaluations,
    ...(spread.length > 0 && { spread }),
    course,
    ...(staleness.length > 0 && { staleness }),
    artifacts: Object.fromEntries(
      (await ask(sql.artifacts)).map(({ output, sha256 }) => [String(output), String(sha256)]),
    ),
  });
}

/** Writes `certificate.json` into the folder of a run. */
export async function writeCertificate(certificate: Certificate, folder: string): Promise<void> {
  const text = `${printableJson(JSON.stringify(certificate, null, 2))}\n`;
  await Deno.writeTextFile(join(folder, "certificate.json"), text);
}

async function readEvaluations(ask: Ask): Promise<CertificateEvaluation[]> {
  const measures = byStage(await ask(sql.measures));
  const wires = await ask(sql.wires);
  const sources = new Map(wires.map(({ path, source }) => [String(path), String(source)]));
  const parts = Object.fromEntries(
    await Promise.all(
      Object.entries(sql.partsOfEvaluation).map(async ([part, query]) =>
        [part, byStage(await ask(query))] as const
      ),
    ),
  ) as Parts;
  return [...measures.keys()].sort(byInstance)
    .map((stage) => evaluationOf(stage, measures.get(stage)!, parts, sources));
}

function evaluationOf(
  stage: string,
  rows: readonly Row[],
  parts: Parts,
  sources: ReadonlyMap<string, string>,
): CertificateEvaluation {
  const of = (part: keyof Parts) => parts[part].get(stage) ?? [];
  const policy = measuresOf(rows.filter((row) => row.subject_kind === "policy"));
  const verdict = asVerdict(policy.verdict?.method);
  const [reason] = of("reasons").map(({ message }) => String(message));
  const [uncounted] = of("uncounted").map(({ message }) => String(message));
  const explorers = of("explorers").map(({ detail }) => json(detail) as CertificateExplorer);
  const references = of("references").map(({ detail }) => json(detail) as Reference);
  return {
    stage,
    exact: policy.tv?.method === "exact enumeration",
    trajectories: Number(rows[0].trajectories),
    distinct_evaluations: Number(rows[0].distinct_evaluations),
    ...present("source", sources.get(`stages.${instanceOf(stage).of}.inputs.policy`)),
    ...present("verdict", verdict),
    ...present("verdict_reason", reason),
    ...present("not_counted", uncounted),
    ...(explorers.length > 0 ? { explorers } : {}),
    policy,
    baselines: baselinesOf(stage, rows, sources),
    remarks: of("remarks").map(({ message }) => String(message)),
    attribution: of("attribution").map(attributionOf),
    lengths: of("lengths").map(lengthOf),
    modes: of("modes").map(modeOf),
    ...(references.length > 0 ? { references } : {}),
  };
}

/** Baselines in the order of their kinds, those of one kind in the order in which they came. */
function baselinesOf(
  stage: string,
  rows: readonly Row[],
  sources: ReadonlyMap<string, string>,
): CertificateBaseline[] {
  return subjectKinds.filter((kind) => kind !== "policy").flatMap((kind) => {
    const ofKind = rows.filter((row) => row.subject_kind === kind);
    return [...Map.groupBy(ofKind, ({ subject }) => String(subject))].map(([name, own]) => {
      const path = `stages.${instanceOf(stage).of}.compare.${name}`;
      const source = kind === "compared" ? sources.get(path) : undefined;
      return { kind, name, ...present("source", source), measures: measuresOf(own) };
    });
  });
}

function measuresOf(rows: readonly Row[]): Record<string, CertificateMeasure> {
  const named = rows.map((row) => [String(row.measure), measureOf(row)] as const);
  return Object.fromEntries(named.sort(([a], [b]) => a < b ? -1 : 1));
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

function real(value: unknown): CertificateReal {
  const number = Number(value);
  return Number.isFinite(number) ? number : String(number) as CertificateReal;
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

function lengthOf({ length, objects, target, policy }: Row) {
  return {
    length: Number(length),
    objects: Number(objects),
    target: real(target),
    policy: real(policy),
  };
}

function modeOf({ top, objects, target, policy, covered }: Row) {
  return {
    top: Number(top),
    objects: Number(objects),
    target: real(target),
    policy: real(policy),
    covered: Number(covered),
  };
}

function pointOf(row: Row): Certificate["course"][number] {
  const measure = (name: string) => row[name] === null ? {} : present(name, real(row[name]));
  return {
    stage: String(row.stage),
    step: Number(row.step),
    trajectories: Number(row.trajectories),
    distinct_evaluations: Number(row.distinct_evaluations),
    ...measure("tv"),
    ...measure("kl_target_policy"),
    ...measure("kl_policy_target"),
  };
}
