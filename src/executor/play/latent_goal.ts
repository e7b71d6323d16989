/**
 * Answers about latents: their values up to the symmetries that a theory has. No row determines
 * which of three sources is the first, so that an answer is compared in the order that fits it
 * best, and the best answer is sought among draws that were brought into one order (Stephens 2000).
 */
import { errorOf } from "./scores.ts";
import type { LatentsJson } from "./theories.ts";

/** A goal of an experiment: values of latents. */
export interface LatentGoal {
  /** Names in the theory; of a vector each element is asked. */
  readonly latents: readonly string[];
  /** Groups of names that the theory does not distinguish, of one length and order. */
  readonly alike: readonly (readonly string[])[];
}

type ErrorKind = Parameters<typeof errorOf>[2];

/** Draws by which an answer is sought, and those of them that are tried as one. */
const [mostDraws, mostTried] = [200, 64];

/** Names of the values that are asked, one for each: `x_0`, `theta[2]`. */
export function askedLatents({ latents }: LatentGoal, { names, draws, parameters }: LatentsJson) {
  return latents.flatMap((name) => {
    const size = parameters[names.indexOf(name)].length / draws;
    return size === 1 ? [name] : Array.from({ length: size }, (_, i) => `${name}[${i}]`);
  });
}

/** Values of the latents that are asked, of the first draw. */
export function valuesOf({ latents }: LatentGoal, { names, draws, parameters }: LatentsJson) {
  return latents.flatMap((name) => {
    const values = parameters[names.indexOf(name)];
    return values.slice(0, values.length / draws);
  });
}

/**
 * The answer of least mean error over draws of the latents, as far as it is found: the draw that is
 * nearest to all others, then mean or median of all in its order.
 *
 * @param draws values of the latents that are asked, one list for each draw.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { bestAnswer } from "./latent_goal.ts";
 * const goal = { latents: ["a", "b"], alike: [["a"], ["b"]] };
 * assert.deepEqual(bestAnswer([[1, 5], [5, 1], [1.5, 5]], goal, "absolute"), [1, 5]);
 * ```
 */
export function bestAnswer(
  draws: readonly (readonly number[])[],
  goal: LatentGoal,
  kind: ErrorKind,
): number[] {
  const some = draws.slice(0, mostDraws);
  const orders = ordersOf(goal);
  const loss = (answer: readonly number[]) =>
    some.reduce((sum, draw) => sum + total(answer, inOrderOf(answer, draw, orders, kind), kind), 0);
  const tried = some.slice(0, mostTried).map((draw) => ({ draw, lost: loss(draw) }));
  const nearest = tried.reduce((a, b) => (b.lost < a.lost ? b : a));
  const aligned = some.map((draw) => inOrderOf(nearest.draw, draw, orders, kind));
  const middle = nearest.draw.map((_, i) => middleOf(aligned.map((one) => one[i]), kind));
  return loss(middle) < nearest.lost ? middle : [...nearest.draw];
}

/** An answer in the order in which it is nearest to the truth; values that are missing stay. */
export function inBestOrder(
  answer: readonly number[],
  truth: readonly number[],
  goal: LatentGoal,
  kind: ErrorKind,
): number[] {
  return inOrderOf(truth, answer, ordersOf(goal), kind);
}

function inOrderOf(
  fixed: readonly number[],
  moved: readonly number[],
  orders: readonly (readonly number[])[],
  kind: ErrorKind,
): number[] {
  if (orders.length === 1) return [...moved];
  const each = orders.map((order) => order.map((from) => moved[from]));
  const errors = each.map((one) => total(fixed, one, kind));
  return each[errors.indexOf(Math.min(...errors))];
}

function total(a: readonly number[], b: readonly number[], kind: ErrorKind): number {
  return a.reduce((sum, value, i) => sum + errorOf(b[i], value, kind), 0);
}

function middleOf(values: readonly number[], kind: ErrorKind): number {
  if (kind === "squared") return values.reduce((a, b) => a + b, 0) / values.length;
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Orders of the values under which the theory stays what it is: of each place, the place it is taken from. */
function ordersOf({ latents, alike }: LatentGoal): readonly (readonly number[])[] {
  const places = alike.map((group) => group.map((name) => latents.indexOf(name)));
  return permutations(places.length).map((order) => {
    const from = latents.map((_, i) => i);
    order.forEach((other, group) => {
      places[group].forEach((place, k) => from[place] = places[other][k]);
    });
    return from;
  });
}

function permutations(count: number): number[][] {
  if (count === 0) return [[]];
  return permutations(count - 1).flatMap((rest) =>
    Array.from({ length: count }, (_, at) => rest.toSpliced(at, 0, count - 1))
  );
}
