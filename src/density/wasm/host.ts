/** What a generated gradient module imports, and the numbers of those imports. */
import { exp, expm1, log, log1p, sigmoid, tanh } from "../../math/elementary.ts";
import { digamma, lgamma } from "../../math/gamma.ts";
import type { FunctionBody, ImportedFunction } from "./assembler.ts";
import { exponential, exponentialPair, logarithm, logisticFunction } from "./exponential.ts";

/** Functions of one number that stay in JavaScript, so that both backends have the same bits. */
export const hostFunctions = {
  exp,
  expm1,
  log,
  log1p,
  sigmoid,
  tanh,
  lgamma,
  digamma,
} as const;
export type HostFunction = keyof typeof hostFunctions;

const names = Object.keys(hostFunctions) as HostFunction[];

/** Numbers of functions: imports first, then the module's own. */
const imported = (name: HostFunction): number => names.indexOf(name);

/** The index of `term(k)`, which sums the k-th term in JavaScript and adds its adjoints. */
export const termIndex = names.length;

/** The index of the module's own e^x on two lanes. */
export const exponentialPairIndex = termIndex + 1;

/** The index of the module's gradient function. */
export const gradientIndex = termIndex + 5;

/** The index to call for a function of one number. */
export const callIndex: { readonly [name in HostFunction]: number } = {
  exp: termIndex + 2,
  log: termIndex + 3,
  sigmoid: termIndex + 4,
  expm1: imported("expm1"),
  log1p: imported("log1p"),
  tanh: imported("tanh"),
  lgamma: imported("lgamma"),
  digamma: imported("digamma"),
};

/** The module's own functions before the gradient, in the order of their indices. */
export function ownFunctions(): FunctionBody[] {
  return [
    exponentialPair(imported("exp")),
    exponential(exponentialPairIndex),
    logarithm(imported("log")),
    logisticFunction(callIndex.exp),
  ];
}

export const imports: readonly ImportedFunction[] = [
  ...names.map((name): ImportedFunction => ({ name, parameters: ["f64"], result: "f64" })),
  { name: "term", parameters: ["i32"], result: "f64" },
];
