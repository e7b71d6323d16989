/** Frame that JavaScript and generated trees share, and the numbers of the functions there. */
import { FunctionLibrary, type FunctionType } from "../../../numerics/wasm/mod.ts";

/** Addresses at which JavaScript and this code exchange values, in bytes. */
export const frame = {
  /** Four words of a random stream. */
  stream: 32,
  stepSize: 48,
  initialEnergy: 56,
  acceptanceSum: 64,
  steps: 72,
  /** Bytes from a state to the next. */
  stride: 76,
  /** Addresses of slot 0. */
  positions: 80,
  gradients: 84,
  whiteGradients: 88,
  momenta: 92,
  sums: 96,
  logDensities: 100,
  /** Addresses of level 0. */
  levelWeights: 104,
  levelProposals: 108,
  /** Addresses of the metric's factor, and, if it is dense, of its transpose; otherwise 0. */
  factor: 112,
  transposed: 116,
  /** Bytes of the coordinates of a state, without padding. */
  dimension: 120,
  /** The slot of the current state, doublings for which there is room, and doublings at most. */
  start: 124,
  room: 128,
  maxDepth: 132,
  /** The trajectory so far: doublings, outermost slots, the selected one, and the weight of all. */
  depth: 136,
  left: 140,
  right: 144,
  selected: 148,
  weight: 152,
  /** Energy of the state that a transition came to, and what its last subtree came to. */
  energy: 160,
  last: 168,
} as const;

/** Outcome of growing a subtree. */
export const outcome = { valid: 0, turns: 1, diverges: 2 } as const;

/** Energy error from which a trajectory counts as divergent (Stan's value). */
export const maxEnergyError = 1000;
/** Weights are e^-error; clamped here so that a sum of 2^10 of them stays finite. */
export const maxLogWeight = 690;

/** Elementary functions of the module, which come first. */
export const library: FunctionLibrary = new FunctionLibrary(["exp", "log"], 0);

/** The functions of the module, in the order of their numbers, and their types. */
export const functionTypes = {
  word: { parameters: [], results: ["i32"] },
  uniform: { parameters: [], results: ["f64"] },
  leapfrog: { parameters: ["i32", "i32"], results: ["f64"] },
  between: { parameters: ["i32", "i32", "i32", "i32"], results: ["i32"] },
  turns: { parameters: ["i32", "i32", "i32"], results: ["i32"] },
  grow: { parameters: ["i32", "i32", "i32"], results: ["i32"] },
  begin: { parameters: [], results: [] },
  select: { parameters: ["i32"], results: [] },
  resume: { parameters: [], results: ["i32"] },
  transition: { parameters: [], results: ["i32"] },
} as const satisfies Readonly<Record<string, FunctionType>>;
/** A function of the module. */
export type FunctionName = keyof typeof functionTypes;
/** All of them. */
export const functionNames = Object.keys(functionTypes) as readonly FunctionName[];

/** Type of log density and gradient: address of the position, address for the gradient. */
export const gradientType: FunctionType = { parameters: ["i32", "i32"], results: ["f64"] };

/** Number of a function. */
export function numberOf(name: FunctionName): number {
  return library.count + functionNames.indexOf(name);
}
