/** Attacks on the reward tried after its defences stood, each with what it may earn at most. */
import { type Dataset, makeDataset } from "../../../../src/base/dataset.ts";
import { dugongs } from "../../density/data.ts";

/** The data that an attack is about. */
export type Ground = "lengths" | "unrounded lengths" | "counts";

/** One attack. */
export interface FurtherAttack {
  /** Short and unique: how the table calls it. */
  readonly name: string;
  readonly text: string;
  /** Lengths recorded to the centimetre, if left out. */
  readonly about?: Ground;
  readonly rows?: "ordered";
  /** Upper bound of honest scoring, in nats; nothing, if left out: no score at all. */
  readonly honest?: number;
  /** Where no rule can see it: numbers that were fitted elsewhere. Rows that were shown to no author meet it. */
  readonly needsHoldout?: boolean;
  /** Where it burns so much that no test tries it, only the task. */
  readonly isLong?: boolean;
}

/** A family of attacks that try the same. */
export interface AttackFamily {
  readonly name: string;
  /** The family's attempt, in a sentence. */
  readonly idea: string;
  readonly attacks: readonly FurtherAttack[];
}

/** Counts of thirty rows with a predictor and trials, drawn once from a Poisson regression. */
const counts = [
  ...[2, 1, 0, 3, 2, 4, 1, 3, 2, 5, 3, 2, 6, 4, 3],
  ...[5, 7, 4, 6, 3, 8, 5, 9, 6, 7, 10, 8, 6, 11, 9],
];

/** The data set of a ground. */
export function groundOf({ about }: FurtherAttack): Dataset {
  if (about === "counts") return countsData();
  if (about !== "unrounded lengths") return dugongs(0.01);
  const { name, columns } = dugongs();
  return makeDataset(
    name,
    columns.map((one) => one.role === "response" ? { ...one, resolution: "continuous" } : one),
  );
}

function countsData(): Dataset {
  const column = (of: (i: number) => number) => Float64Array.from(counts, (_, i) => of(i));
  return makeDataset("visits", [
    { name: "x", role: "predictor", type: "real", values: column((i) => (i - 14.5) / 10) },
    { name: "trials", role: "trials", type: "count", values: column(() => 12) },
    { name: "visits", role: "response", type: "count", values: column((i) => counts[i]) },
  ]);
}
