/** The elementary functions of a module: those that it needs, and those that they call. */
import { farExponential, farLogarithm, farLogOnePlus } from "./far_functions.ts";
import type { FunctionBody } from "./function_body.ts";
import { exponential, logarithm, logOnePlus } from "./functions.ts";
import { exponentialLessOne, farExponentialLessOne, hyperbolicTangent } from "./hyperbolic.ts";

/** A function on two lanes with a vector as argument and result. */
export type OwnFunction = "exp" | "log" | "log1p" | "expm1" | "tanh" | FarFunction;

/** A function on two lanes for arguments of any size. */
export type FarFunction = "farExp" | "farLog" | "farLog1p" | "farExpm1";

/** Functions: the far function that each calls, if any, and its body, given that one's index. */
const functions: {
  readonly [name in OwnFunction]: {
    readonly calls?: FarFunction;
    readonly body: (called: number) => FunctionBody;
  };
} = {
  exp: { calls: "farExp", body: exponential },
  log: { calls: "farLog", body: logarithm },
  log1p: { calls: "farLog1p", body: logOnePlus },
  expm1: { calls: "farExpm1", body: exponentialLessOne },
  tanh: { calls: "farExpm1", body: hyperbolicTangent },
  farExp: { body: farExponential },
  farLog: { body: farLogarithm },
  farLog1p: { calls: "farLog", body: farLogOnePlus },
  farExpm1: { calls: "farExp", body: farExponentialLessOne },
};

/** All of them. */
export const allFunctions: readonly OwnFunction[] = Object.keys(functions) as OwnFunction[];

/** Bodies are the same in every module in which the called functions have the same index. */
const bodies = new Map<string, FunctionBody>();

/** Functions with consecutive indices. */
export class FunctionLibrary {
  readonly #names: readonly OwnFunction[];

  /**
   * Collects the needed functions, and those that they call.
   *
   * @param needed functions that the module calls.
   * @param first index of the first of them: how many functions come before.
   */
  constructor(needed: Iterable<OwnFunction>, readonly first: number) {
    const names = new Set<OwnFunction>();
    const add = (name: OwnFunction): void => {
      const { calls } = functions[name];
      if (calls) add(calls);
      names.add(name);
    };
    for (const name of needed) add(name);
    this.#names = [...names];
  }

  /** Number of functions. */
  get count(): number {
    return this.#names.length;
  }

  /** Index of a function within the module. */
  index(name: OwnFunction): number {
    const at = this.#names.indexOf(name);
    if (at < 0) throw new Error(`internal: ${name} is not in the module`);
    return this.first + at;
  }

  /** Bodies of the functions, in the order of their indices. */
  bodies(): FunctionBody[] {
    return this.#names.map((name) => {
      const { calls, body } = functions[name];
      const called = calls ? this.index(calls) : 0;
      const key = `${name} ${called}`;
      const known = bodies.get(key) ?? body(called);
      bodies.set(key, known);
      return known;
    });
  }
}
