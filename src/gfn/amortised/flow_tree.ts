/** Log flows of partial answers, by places in a tree whose leaves are programs. */
import { exp, logAddExp } from "../../numerics/math/mod.ts";
import { prefixFlows, pushForces } from "./prefix_flows.ts";

/** Flow in is flow out at every place: that of a partial answer is the sum over its completions. */
export interface FlowTree {
  /** `[places]`: log flows, nats; the first is log Z. */
  readonly flows: Float64Array;
  /** The place after some answers. */
  at(actions: readonly number[]): number;
  /** Visits each answer that is legal at a place, with the place behind it. */
  next(actions: readonly number[], show: (action: number, place: number) => void): void;
  /** Carries forces on places, `[places]`, to programs, in the order of their flows. */
  toPrograms(forces: Float64Array): Float64Array;
}

/**
 * Answers are in or out of one predictor after the other.
 *
 * @param flows Of the programs; those that are not among them have none.
 * @param programs Bits of their predictors.
 */
export function binaryTree(
  flows: Float64Array,
  programs: ArrayLike<number>,
  predictors: number,
): FlowTree {
  const levels = prefixFlows(scattered(flows, programs, predictors), predictors);
  const place = (t: number, bits: number) => 2 ** t - 1 + bits;
  const all = new Float64Array(2 ** (predictors + 1) - 1);
  levels.forEach((level, t) => all.set(level, place(t, 0)));
  return {
    flows: all,
    at: (actions) => place(actions.length, bitsOf(actions)),
    next(actions, show) {
      const t = actions.length;
      if (t === predictors) return;
      const bits = bitsOf(actions);
      show(2 * t, place(t + 1, bits));
      show(2 * t + 1, place(t + 1, bits + 2 ** t));
    },
    toPrograms(forces) {
      const own = levels.map(({ length }, t) => forces.slice(place(t, 0), place(t, 0) + length));
      pushForces(levels, own);
      const whole = own[own.length - 1];
      return Float64Array.from(programs, (bits) => whole[bits]);
    },
  };
}

/** `[2^predictors]`: log flows by bits; −Infinity of programs that are not asked. */
function scattered(flows: Float64Array, programs: ArrayLike<number>, predictors: number) {
  if (flows.length === 2 ** predictors) return flows;
  const all = new Float64Array(2 ** predictors).fill(-Infinity);
  flows.forEach((one, m) => all[programs[m]] = one);
  return all;
}

/** The program's bits after some answers: action 2 j + 1 has predictor j in. */
function bitsOf(actions: readonly number[]): number {
  return actions.reduce((bits, action, j) => bits + (action % 2) * 2 ** j, 0);
}

/**
 * Answers of any number.
 *
 * @param flows Of the programs.
 * @param paths Answers that lead to each.
 */
export function pathTree(flows: Float64Array, paths: readonly (readonly number[])[]): FlowTree {
  const parents = [-1];
  const children: Map<number, number>[] = [new Map()];
  const leaves = paths.map((path) =>
    path.reduce((place, action) => {
      const known = children[place].get(action);
      if (known !== undefined) return known;
      children[place].set(action, parents.length);
      children.push(new Map());
      return parents.push(place) - 1;
    }, 0)
  );
  const all = new Float64Array(parents.length).fill(-Infinity);
  leaves.forEach((place, m) => all[place] = flows[m]);
  for (let place = parents.length - 1; place > 0; place--) {
    all[parents[place]] = logAddExp(all[parents[place]], all[place]);
  }
  const at = (actions: readonly number[]) =>
    actions.reduce((place, action) => children[place].get(action)!, 0);
  return {
    flows: all,
    at,
    next(actions, show) {
      children[at(actions)].forEach((place, action) => show(action, place));
    },
    toPrograms(forces) {
      const own = forces.slice();
      for (let place = 1; place < own.length; place++) {
        const force = own[parents[place]];
        if (force !== 0) own[place] += force * exp(all[place] - all[parents[place]]);
      }
      return Float64Array.from(leaves, (place) => own[place]);
    },
  };
}
