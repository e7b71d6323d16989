/** Spread of a measure over instances of a stage: median, least and largest. */
import { quantile } from "../numerics/math/mod.ts";
import type {
  CertificateEvaluation,
  CertificateMeasure,
  CertificateSpread,
} from "./certificate_schema.ts";

/** Measures that are shown, with what they are called. */
export const spreadMeasures = [
  ["tv", "TV"],
  ["kl_target_policy", "KL(target‖policy)"],
  ["kl_policy_target", "KL(policy‖target)"],
  ["tv_lower", "TV, at least"],
  ["log_z_error", "log Z, error"],
] as const;

type Measures = Readonly<Record<string, CertificateMeasure>>;

/** The stage that an instance is of, and its number: `train[2].progress` is `train.progress`, 2. */
export function instanceOf(stage: string): { readonly of: string; readonly number?: number } {
  const found = /^([^.[\]]*)\[([0-9]+)\](.*)$/.exec(stage);
  return found ? { of: `${found[1]}${found[3]}`, number: Number(found[2]) } : { of: stage };
}

/** Instances of one stage beside one another, by their number; stages by name. */
export function byInstance(a: string, b: string): number {
  const [p, q] = [instanceOf(a), instanceOf(b)];
  if (p.of !== q.of) return p.of < q.of ? -1 : 1;
  return (p.number ?? 0) - (q.number ?? 0);
}

/**
 * Median, least and largest of every measure of the policy, over the instances of each stage that
 * has several.
 *
 * @param seed of instance 0; those of the others follow it.
 */
export function spreadsOf(
  evaluations: readonly CertificateEvaluation[],
  seed: number,
): CertificateSpread[] {
  const numbered = evaluations.filter(({ stage }) => instanceOf(stage).number !== undefined);
  const groups = Map.groupBy(numbered, ({ stage }) => instanceOf(stage).of);
  return [...groups].map(([stage, own]) => ({
    stage,
    instances: own.map((one) => one.stage),
    seeds: own.map((one) => seed + instanceOf(one.stage).number!),
    policy: measuresOf(own.map(({ policy }) => policy)),
    verdicts: countsOf(own.flatMap(({ verdict }) => verdict ?? [])),
  }));
}

function measuresOf(all: readonly Measures[]): CertificateSpread["policy"] {
  const names = Object.keys(all[0]).filter((name) => name !== "verdict");
  return Object.fromEntries(names.flatMap((name) => {
    const values = all.map((measures) => measures[name]?.value);
    if (!values.every((value) => typeof value === "number")) return [];
    const sorted = values.toSorted((a, b) => a - b);
    const [min, max] = [sorted[0], sorted[sorted.length - 1]];
    return [[name, { n: sorted.length, median: quantile(sorted, 0.5), min, max }]];
  }));
}

function countsOf(words: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(words, (word) => word)].map(([w, all]) => [w, all.length]),
  );
}

/**
 * One evaluation of each stage: of several instances the one whose TV is in the middle, or the
 * first where it was not counted.
 */
export function middleOnes(
  evaluations: readonly CertificateEvaluation[],
): readonly CertificateEvaluation[] {
  const groups = Map.groupBy(evaluations, ({ stage }) => instanceOf(stage).of);
  return [...groups.values()].map((own) => {
    const tv = ({ policy }: CertificateEvaluation) => Number(policy.tv?.value ?? 0);
    return own.toSorted((a, b) => tv(a) - tv(b))[(own.length - 1) >> 1];
  });
}
