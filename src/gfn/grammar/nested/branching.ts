/** Whether derivations of recursive holes end: how many holes a hole leaves to be filled on average. */
import type { CompiledGrammar } from "../compile.ts";
import type { NestedHole } from "./nested_holes.ts";

/** A hole, and the production that it must not take, as an operand of its chain; −1 if none. */
interface Type {
  readonly hole: number;
  readonly except: number;
}

/** A circle of holes that lead to each other. */
export interface Circle {
  readonly holes: readonly number[];
  /** Productions of these holes that lead back to one of them. */
  readonly leadingBack: readonly number[];
  /**
   * Spectral radius of the mean matrix of the branching process (Harris 1963, chapter II): below 1
   * derivations end, and the lengths of all of them have a finite mean.
   */
  readonly growth: number;
  /** Leaves the circle below 1 if all weights of `leadingBack` are multiplied by less. */
  readonly bearable: number;
}

/** The circles of a grammar, each with the growth that its weights give it where nothing bounds it. */
export function circlesOf(grammar: CompiledGrammar, nested: readonly NestedHole[]): Circle[] {
  const firsts = nested.flatMap(({ isRecursive, circle }, hole) =>
    isRecursive && circle[0] === hole ? [circle] : []
  );
  return firsts.map((holes) => {
    const leadingBack = grammar.actions.flatMap(({ hole, text }, action) =>
      holes.includes(hole) && text.holes.some((inner) => holes.includes(inner)) ? [action] : []
    );
    const growth = (factor: number) => growthOf(grammar, holes, leadingBack, factor);
    return { holes, leadingBack, growth: growth(1), bearable: bearableFactor(growth) };
  });
}

/** The factor at which growth is 1, by bisection; growth rises with it. */
function bearableFactor(growth: (factor: number) => number): number {
  let [low, high] = [0, 1];
  while (growth(high) < 1 && high < 2 ** 40) high *= 2;
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (growth(middle) < 1) low = middle;
    else high = middle;
  }
  return low;
}

function growthOf(
  grammar: CompiledGrammar,
  holes: readonly number[],
  leadingBack: readonly number[],
  factor: number,
): number {
  const types: Type[] = holes.flatMap((hole) => [
    { hole, except: -1 },
    ...grammar.holes[hole].actions.filter((a) => grammar.actions[a].normal?.associative)
      .map((except) => ({ hole, except })),
  ]);
  const weightOf = (action: number) =>
    grammar.actions[action].weight * (leadingBack.includes(action) ? factor : 1);
  return spectralRadius(types.map((type) => means(grammar, types, type, weightOf)));
}

/** Mean number of holes of each type that one of a type leaves to be filled. */
function means(
  grammar: CompiledGrammar,
  types: readonly Type[],
  { hole, except }: Type,
  weightOf: (action: number) => number,
): number[] {
  const row = types.map(() => 0);
  const { actions } = grammar.holes[hole];
  const all = actions.reduce((sum, action) => sum + weightOf(action), 0);
  const free = actions.filter((action) => action !== except);
  const total = free.reduce((sum, action) => sum + weightOf(action), 0);
  for (const action of free) {
    const { normal, text } = grammar.actions[action];
    const own = normal?.associative ? action : -1;
    const on = weightOf(action) / all;
    const times = own < 0 ? 1 : meanOperands(on, normal!.operands) / 2;
    for (const inner of text.holes) {
      const at = types.findIndex((one) => one.hole === inner && one.except === own);
      if (at >= 0) row[at] += weightOf(action) / total * times;
    }
  }
  return row;
}

/** Mean operands of a chain that goes on with the same probability after each operand from the second on. */
function meanOperands(on: number, most: number): number {
  let mean = 2;
  for (let count = 3; count <= most; count++) mean += on ** (count - 2);
  return mean;
}

/** Spectral radius by repeated squaring: the limit of ‖Mᵏ‖^(1/k) (Gelfand 1941). */
function spectralRadius(matrix: readonly number[][]): number {
  let power: readonly (readonly number[])[] = matrix;
  let [radius, exponent] = [1, 1];
  for (let doubling = 0; doubling < 40; doubling++) {
    const norm = power.reduce((m, row) => Math.max(m, row.reduce((sum, x) => sum + x, 0)), 0);
    if (norm === 0) return 0;
    radius *= norm ** (1 / exponent);
    power = squared(power.map((row) => row.map((x) => x / norm)));
    exponent *= 2;
  }
  return radius;
}

function squared(matrix: readonly (readonly number[])[]): number[][] {
  return matrix.map((row) =>
    matrix.map((_, j) => row.reduce((sum, x, k) => sum + x * matrix[k][j], 0))
  );
}
