/** Which of two families the engine prefers, where maximum likelihood says by how much they differ. */
import { readFileSync } from "node:fs";
import { type FamilyPair, scoresOf } from "../family_pairs.ts";

/** A data set of `tools/golden/family_sets.py`. */
interface FamilySet {
  readonly inner: string;
  readonly outer: string;
  /** Half the difference of AIC, outer less inner. */
  readonly nats: number;
  readonly y: readonly number[];
  readonly x: readonly number[];
  readonly n?: number;
}

/** Verdicts of both ways on a set: nats for the outer family. */
export interface FoundRecord {
  readonly set: number;
  readonly pair: string;
  /** Half the difference of AIC. */
  readonly nats: number;
  /** Difference of ELPD-LOO; null where a program has no score. */
  readonly elpd: number | null;
}

/** The sets in their order. */
export function familySets(): readonly FamilySet[] {
  const golden = new URL("../../../golden/family_sets.json", import.meta.url);
  return JSON.parse(readFileSync(golden, "utf8")).sets;
}

/** Scores both families on a set. */
export function foundIn(set: number, { inner, outer, nats, y, x, n }: FamilySet): FoundRecord {
  const pair: FamilyPair = {
    ...{ space: "regression", inner, outer, truth: "either", at: "", parameters: 0, greatest: {} },
    ...{ y, x, ...(n !== undefined && { n: y.map(() => n) }) },
  };
  const [a, b] = scoresOf(pair);
  const elpd = Number.isFinite(b - a) ? Math.round((b - a) * 1e3) / 1e3 : null;
  return { set, pair: `${inner}, ${outer}`, nats, elpd };
}
