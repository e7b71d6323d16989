/** Policies on 2^30 objects: collapses, wrong temperatures and good ones, at three breadths of the target. */
import { RandomStream } from "../../../src/base/random.ts";
import { bits, type Chain, chainOf } from "./spin_chain.ts";

/** A target, a policy, and whether it is a good one. */
export interface VastPlant {
  readonly chain: Chain;
  readonly policy: Chain;
  readonly what: string;
  readonly isGood: boolean;
}

/** The chain with some bits held at 0, or all but at 0. */
const without = (chain: Chain, held: readonly number[], less = -Infinity): Chain => ({
  ...chain,
  field: chain.field.map((one, j) => held.includes(j) ? one + less : one),
});

const heated = ({ field, coupling }: Chain, beta: number): Chain => ({
  field: field.map((one) => beta * one),
  coupling: coupling.map((one) => beta * one),
});

/** Independent errors of every field. */
const noisy = ({ field, coupling }: Chain, sd: number, seed: number): Chain => {
  const random = new RandomStream("noisy chain", seed);
  const error = () => sd * 2 * Math.sqrt(3) * (random.uniform() - 0.5);
  return { field: field.map((one) => one + error()), coupling };
};

const places = Array.from({ length: bits }, (_, j) => j);

/** The bit that is up nearest to a share of the time, by field alone. */
function bitOf({ field }: Chain, share: number): number {
  const up = (j: number) => 1 / (1 + Math.exp(-field[j]));
  return places.toSorted((a, b) => Math.abs(up(a) - share) - Math.abs(up(b) - share))[0];
}

const strengths = { narrow: 9, middling: 6, broad: 3 } as const;

/** Eleven for each breadth. */
export const vastPlants: readonly VastPlant[] = Object.entries(strengths).flatMap(
  ([name, s], i) => {
    const chain = chainOf(s, i + 1);
    const [half, third, most] = [bitOf(chain, 0.5), bitOf(chain, 0.33), bitOf(chain, 0.8)];
    const plant = (what: string, policy: Chain, isGood = false): VastPlant => {
      return { chain, policy, what: `${name}: ${what}`, isGood };
    };
    return [
      plant("never one bit of half", without(chain, [half])),
      plant("never one bit of a third", without(chain, [third])),
      plant("never one bit of four fifths", without(chain, [most])),
      plant("never two bits", without(chain, [half, third])),
      plant("one bit of half a thousandth", without(chain, [half], -7)),
      plant("temperature 2", heated(chain, 0.5)),
      plant("temperature 1/2", heated(chain, 2)),
      plant("errors of 0.01", noisy(chain, 0.01, 1), true),
      plant("errors of 0.02", noisy(chain, 0.02, 2), true),
      plant("errors of 0.03", noisy(chain, 0.03, 3), true),
    ];
  },
);
