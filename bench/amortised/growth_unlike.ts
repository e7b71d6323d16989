/** Sizes over ages unlike those of training: refused by the policy of growth, or answered nearly as well. */
import { RandomStream } from "../../src/base/random.ts";
import { fillNormal, log } from "../../src/numerics/math/mod.ts";
import {
  type AmortisedFile,
  growthAnswers,
  growthCount,
  likeness,
  measureAnswer,
  promptOf,
  questionSpaces,
  scoredByDraws,
  type ScoredData,
  type Sizes,
  type UnscoredGrowth,
} from "../../src/gfn/train/mod.ts";
import { executed } from "./growth_tables.ts";

const space = questionSpaces.growth;

/** Data sets of each kind, and how many of those that pass are also executed by the engine. */
const [count, executions] = [25, 2] as const;

/** Prints a line for each kind. */
export function growthUnlike({ answer, card }: AmortisedFile): void {
  const limit = 2 * card.figures.tv_median;
  for (const kind of unlikeKinds) {
    let [refused, near] = [0, 0];
    const engine: string[] = [];
    for (const data of unlikeGrowth(kind)) {
      const prompt = promptOf({ id: data.id, rows: rowsOf(data) }, space);
      if (!likeness(card.detector, space.detected(prompt)).isLike) {
        refused++;
        continue;
      }
      const shares = answer(prompt);
      const against = ({ programs, logRewards }: ScoredData) => {
        const own = Float64Array.from(programs, (program) => shares[program] ?? -Infinity);
        return measureAnswer(programs, own, logRewards, growthAnswers.length, space.marks).tv;
      };
      const tv = against(scoredByDraws(data));
      if (tv <= limit) near++;
      if (engine.length < executions) {
        engine.push(`${tv.toFixed(3)} and ${against(executed(data)).toFixed(3)}`);
      }
    }
    const by = engine.length === 0 ? "" : `; TV by draws and by the engine: ${engine.join(", ")}`;
    console.log(`${kind}: of ${count} ${refused} refused, ${near} within ${limit.toFixed(3)}${by}`);
  }
}

/** Data sets of a kind, all programs to be scored. */
function unlikeGrowth(kind: string): UnscoredGrowth[] {
  return Array.from({ length: count }, (_, k) => {
    const sizes = drawn(kinds[kind], new RandomStream("unlike growth", kind, k));
    return { id: `${kind} ${k}`, ...sizes, programs: all };
  });
}

const all = Int32Array.from({ length: growthCount }, (_, program) => program);

function rowsOf({ ages, sizes }: Sizes): ScoredData["rows"] {
  return { rows: ages.length, columns: [ages], y: sizes };
}

interface Shape {
  readonly rows?: number;
  /** Of a row, in standard deviations of the noise; normal if left out. */
  readonly noise?: (random: RandomStream) => number;
  /** Size at a share of the greatest age; von Bertalanffy's curve if left out. */
  readonly curve?: (share: number) => number;
  /** Changes what was drawn. */
  readonly then?: (sizes: Float64Array) => Float64Array;
}

const kinds: Readonly<Record<string, Shape>> = {
  "like training": {},
  "exponential noise": { noise: (random) => -log(random.uniform()) - 1 },
  "one outlier, 15 deviations": { then: (sizes) => sizes.with(7, sizes[7] + 15 * deviation) },
  "two spurts": { curve: (share) => 0.3 + 0.3 * step(share - 0.2) + 0.4 * step(share - 0.75) },
  seasons: { curve: (share) => 1 - 0.7 * Math.exp(-4 * share) + 0.15 * Math.sin(20 * share) },
  "ten times the rows": { rows: 1000 },
  // Drawn in no order of age, so that these are the sizes of others.
  "shuffled ages": { then: (sizes) => sizes.toReversed() },
};

/** In the order in which they are printed. */
const unlikeKinds: readonly string[] = Object.keys(kinds);

const step = (x: number) => 1 / (1 + Math.exp(-40 * x));

/** Of the noise. */
const deviation = 0.08;

function drawn({ rows = 50, noise, curve, then }: Shape, random: RandomStream): Sizes {
  const rate = 2 + 4 * random.uniform();
  const grown = curve ?? ((share: number) => 1 - 0.7 * Math.exp(-rate * share));
  const shares = Float64Array.from({ length: rows }, () => 0.02 + 0.98 * random.uniform());
  const errors = new Float64Array(rows);
  fillNormal(random, errors);
  const sizes = shares.map((share, i) =>
    Math.max(0.01, grown(share) + deviation * (noise?.(random) ?? errors[i]))
  );
  return { ages: shares.map((one) => 30 * one), sizes: then?.(sizes) ?? sizes };
}
