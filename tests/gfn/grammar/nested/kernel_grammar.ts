/** Grammars of kernels, and their derivations by brute force, written without the code under test. */
import type { GrammarSpec, HoleSpec, ProductionSpec } from "../../../../src/gfn/grammar/spec.ts";

/** A production with what tests leave out. */
export function production(
  name: string,
  text: string,
  more: Partial<ProductionSpec> = {},
): ProductionSpec {
  return { name, weight: 1, text, requires: [], requiresAny: [], excludes: [], ...more };
}

/** A grammar of one text and some holes. */
export function grammarWith(
  holes: readonly HoleSpec[],
  more: Partial<GrammarSpec> = {},
): GrammarSpec {
  const template = `k = {${holes[0].name}}`;
  return { format: 1, name: "test", template, exit: 1, holes, clauses: [], ...more };
}

const both = { commutative: true, associative: true } as const;

/** Three kernels, sums and products; `normal` brings both into normal forms. */
export function kernels(depth: number, operands: number, normal = true): GrammarSpec {
  const form = normal ? { ...both, operands } : {};
  return grammarWith([{
    name: "kernel",
    type: "expression",
    productions: [
      production("r", "r", { weight: 3 }),
      production("p", "p", { weight: 2 }),
      production("l", "l", { weight: 1 }),
      production("sum", "({kernel} + {kernel})", { weight: 1.5, ...form }),
      production("product", "({kernel} * {kernel})", { weight: 2, ...form }),
    ],
  }], { depth });
}

/** A tree of signs. */
export type Tree = string | { readonly sign: string; readonly inner: readonly Tree[] };

/** Reads `((r + p) * l)`. */
export function parsed(text: string): Tree {
  let at = 0;
  const read = (): Tree => {
    if (text[at] !== "(") return text[at++];
    at++;
    const left = read();
    const sign = text[at + 1];
    at += 3;
    const right = read();
    at++;
    return { sign, inner: [left, right] };
  };
  return read();
}

/** Flat and sorted: equal for trees that differ in brackets and order alone. */
export function normalised(tree: Tree): string {
  if (typeof tree === "string") return tree;
  const flat = (one: Tree): readonly Tree[] =>
    typeof one !== "string" && one.sign === tree.sign ? one.inner.flatMap(flat) : [one];
  return `${tree.sign}(${flat(tree).map(normalised).sort().join(" ")})`;
}

/** An ordered derivation, and its probability when every choice is made by the weights alone. */
export interface Derived {
  readonly tree: Tree;
  readonly probability: number;
}

const leaves: readonly [string, number][] = [["r", 3], ["p", 2], ["l", 1]];
const signs: readonly [string, number][] = [["+", 1.5], ["*", 2]];

/**
 * Every ordered derivation of `kernels(depth, operands)` whose chains lean to the left: at each hole
 * a leaf or a sign by weight, a chain going on by the weight of its sign.
 */
export function derivations(depth: number, operands: number, except = ""): Derived[] {
  const isLast = depth === 1;
  const free = isLast ? [] : signs.filter(([sign]) => sign !== except);
  const total = [...leaves, ...free].reduce((sum, [, weight]) => sum + weight, 0);
  const own = leaves.map(([leaf, weight]) => ({ tree: leaf, probability: weight / total }));
  return [
    ...own,
    ...free.flatMap(([sign, weight]) =>
      chains(depth, operands, sign, weight).map(({ tree, probability }) => ({
        tree,
        probability: probability * weight / total,
      }))
    ),
  ];
}

function chains(depth: number, operands: number, sign: string, weight: number): Derived[] {
  const others = [...leaves, ...(depth === 2 ? [] : signs.filter(([one]) => one !== sign))];
  const on = weight / (weight + others.reduce((sum, [, own]) => sum + own, 0));
  const operand = derivations(depth - 1, operands, sign);
  return Array.from({ length: operands - 1 }, (_, i) => i + 2).flatMap((count) => {
    const stops = count === operands ? 1 : 1 - on;
    return lists(operand, count).map(({ trees, probability }) => ({
      tree: { sign, inner: trees },
      probability: probability * on ** (count - 2) * stops,
    }));
  });
}

function lists(operand: readonly Derived[], count: number) {
  let all: { trees: Tree[]; probability: number }[] = [{ trees: [], probability: 1 }];
  for (let i = 0; i < count; i++) {
    all = all.flatMap(({ trees, probability }) =>
      operand.map((one) => ({
        trees: [...trees, one.tree],
        probability: probability * one.probability,
      }))
    );
  }
  return all;
}
