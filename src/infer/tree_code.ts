/** Generated code that grows trees of leapfrog steps, with the bits of src/infer/nuts.ts. */
import { exp } from "../math/elementary.ts";
import { FunctionBody, type Local } from "../math/wasm/function_body.ts";
import { exponential } from "../math/wasm/functions.ts";
import { sharedMemory } from "../math/wasm/memory.ts";
import { assembleModule, type FunctionType } from "../math/wasm/module.ts";

// The code of each function follows the method of the same name of `Nuts`, line by line. States are
// rows of two lanes each, padded with zeros; so no loop has a last element to treat apart.

/** Addresses at which JavaScript and this code tell each other what they need, in bytes. */
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
} as const;

/** What growing a subtree came to. */
export const outcome = { valid: 0, turns: 1, diverges: 2 } as const;

/** Energy error from which a trajectory counts as divergent (Stan's value). */
export const maxEnergyError = 1000;
/** Weights are e^-error; clamped here so that a sum of 2^10 of them stays finite. */
export const maxLogWeight = 690;

/** What the module offers. */
export interface TreeCode {
  /** (slot, direction, doublings) → outcome: grows a subtree of 2^doublings states. */
  readonly grow: (from: number, direction: number, depth: number) => number;
  /** (first slot, last slot of its left half, last slot) → whether a tree turns, as 0 or 1. */
  readonly turns: (left: number, middle: number, right: number) => number;
}

const functions = ["exp", "word", "uniform", "leapfrog", "between", "turns", "grow"] as const;
/** Number of a function: one import comes first. */
const numberOf = (name: typeof functions[number]): number => 1 + functions.indexOf(name);
const gradientType: FunctionType = { parameters: ["i32", "i32"], results: ["f64"] };

let table: WebAssembly.Table | undefined;
let code: TreeCode | undefined;

/** The code for trees of this log density: one module serves all of them in turn. */
export function treeCodeOf(gradient: (position: number, gradient: number) => number): TreeCode {
  table ??= new WebAssembly.Table({ element: "anyfunc", initial: 1 });
  table.set(0, gradient);
  return code ??= instantiate(table);
}

function instantiate(table: WebAssembly.Table): TreeCode {
  const imports = [{ name: "exp", parameters: ["f64"], results: ["f64"] }] as const;
  const bodies = [exponential(0), word(), uniform(), leapfrog(), between(), turns(), growTree()];
  const exported = (["grow", "turns"] as const).map((name) => ({ name, index: numberOf(name) }));
  const bytes = assembleModule(imports, bodies, exported, gradientType);
  const host = { memory: sharedMemory(), table, exp };
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { host });
  return instance.exports as unknown as TreeCode;
}

/** Code that addresses the frame and rows of states. */
class Code extends FunctionBody {
  /** Pushes a word of the frame. */
  word(address: number): this {
    return this.i32(0).loadIndex(address);
  }

  /** Pushes a number of the frame. */
  value(address: number): this {
    return this.i32(0).loadNumber(address);
  }

  /** A new variable for the address of a row: base + slot · stride. */
  row(base: number, slot: Local, stride: Local): Local {
    const local = this.local("i32");
    this.word(base).get(slot, stride).op("i32.mul", "i32.add").set(local);
    return local;
  }

  /** Pushes two elements of a row. */
  two(row: Local, k: Local): this {
    return this.get(row, k).op("i32.add").load(0);
  }

  /** Stores two elements, which `push` pushes, into a row. */
  storePair(row: Local, k: Local, push: () => void): this {
    this.get(row, k).op("i32.add");
    push();
    return this.store(0);
  }

  /** Runs `body` for every pair of elements from `first` to below `end` bytes. */
  pairs(k: Local, first: Local | undefined, end: Local, body: () => void): this {
    if (first === undefined) this.i32(0).set(k);
    else this.get(first).set(k);
    return this.asLongAs(() => this.get(k, end).op("i32.lt_u"), () => {
      body();
      this.get(k).i32(16).op("i32.add").set(k);
    });
  }

  /** Pushes the sum of both lanes. */
  total(sum: Local): this {
    return this.get(sum).extract(0).get(sum).extract(1).op("f64.add");
  }
}

/** The next word of the random stream: `RandomStream.uint32`. */
function word(): FunctionBody {
  const f = new Code([], ["i32"]);
  const [a, b, c, d, t] = Array.from({ length: 5 }, () => f.local("i32"));
  [a, b, c, d].forEach((local, i) => f.word(frame.stream + 4 * i).set(local));
  const save = (i: number, local: Local) => f.i32(0).get(local).storeIndex(frame.stream + 4 * i);
  f.get(b).i32(5).op("i32.mul").i32(7).op("i32.rotl").i32(9).op("i32.mul");
  f.get(b).i32(9).op("i32.shl").set(t);
  f.get(c, a).op("i32.xor").set(c);
  f.get(d, b).op("i32.xor").set(d);
  f.get(b, c).op("i32.xor").set(b);
  f.get(a, d).op("i32.xor").set(a);
  f.get(c, t).op("i32.xor").set(c);
  f.get(d).i32(11).op("i32.rotl").set(d);
  [a, b, c, d].forEach((local, i) => save(i, local));
  return f;
}

/** A uniform number: `RandomStream.uniform`. */
function uniform(): FunctionBody {
  const f = new Code([], ["f64"]);
  const half = () => f.call(numberOf("word")).i32(6).op("i32.shr_u", "f64.convert_i32_u");
  half().number(67108864).op("f64.mul");
  half().op("f64.add").number(0.5).op("f64.add").number(4503599627370496).op("f64.div");
  return f;
}

/** One step from slot `from`; returns the energy error. */
function leapfrog(): FunctionBody {
  const f = new Code(["i32", "i32"], ["f64"]);
  const [from, direction] = [0, 1];
  const [to, stride, k] = [f.local("i32"), f.local("i32"), f.local("i32")];
  f.get(from, direction).op("i32.add").set(to);
  f.word(frame.stride).set(stride);
  const row = (base: number, slot: Local) => f.row(base, slot, stride);
  const [q, nextQ] = [row(frame.positions, from), row(frame.positions, to)];
  const [r, nextR] = [row(frame.momenta, from), row(frame.momenta, to)];
  const [u, nextU] = [row(frame.whiteGradients, from), row(frame.whiteGradients, to)];
  const g = row(frame.gradients, to);
  f.get(direction).op("f64.convert_i32_s").value(frame.stepSize).op("f64.mul");
  const step = f.simd("f64x2.splat").hold();
  const half = f.pair(0.5).get(step).simd("f64x2.mul").hold();
  f.pairs(k, undefined, stride, () =>
    f.storePair(nextR, k, () => {
      f.two(r, k).get(half).two(u, k).simd("f64x2.mul", "f64x2.add");
    }));
  const dense = () => f.word(frame.transposed);
  const drift = { f, k, stride, step, q, nextQ, nextR };
  dense().choose(() => driftDense(drift), () => driftDiagonal(drift));
  f.get(nextQ, g).i32(0).callIndirect(1 + functions.length);
  const value = f.local("f64");
  f.set(value).word(frame.logDensities).get(to).i32(8).op("i32.mul", "i32.add");
  f.get(value).storeNumber(0);
  const white = { f, k, stride, g, nextU };
  dense().choose(() => whitenDense(white), () => whitenDiagonal(white));
  kick({ f, k, stride, half, from, to, direction, nextR, nextU });
  return f.number(0.5).op("f64.mul").get(value).op("f64.sub").value(frame.initialEnergy)
    .op("f64.sub");
}

interface Drift {
  readonly f: Code;
  readonly k: Local;
  readonly stride: Local;
  readonly step: Local;
  readonly q: Local;
  readonly nextQ: Local;
  readonly nextR: Local;
}

/** q' = q + (step · factor) · r'. */
function driftDiagonal({ f, k, stride, step, q, nextQ, nextR }: Drift): void {
  const factor = f.local("i32");
  f.word(frame.factor).set(factor);
  f.pairs(k, undefined, stride, () =>
    f.storePair(nextQ, k, () => {
      f.two(q, k).get(step).two(factor, k).simd("f64x2.mul").two(nextR, k);
      f.simd("f64x2.mul", "f64x2.add");
    }));
}

/** q' = q + step · (L r'): row by row, up to the pair that holds the diagonal. */
function driftDense({ f, k, stride, step, q, nextQ, nextR }: Drift): void {
  const [row, end, at] = [f.local("i32"), f.local("i32"), f.local("i32")];
  const sum = f.local();
  f.word(frame.factor).set(row).i32(0).set(at);
  f.asLongAs(() => f.get(at, stride).op("i32.lt_u"), () => {
    f.get(at).i32(-16).op("i32.and").i32(16).op("i32.add").set(end);
    f.pair(0).set(sum);
    f.pairs(k, undefined, end, () => {
      f.get(sum).two(row, k).two(nextR, k).simd("f64x2.mul", "f64x2.add").set(sum);
    });
    f.get(nextQ, at).op("i32.add").get(q, at).op("i32.add").loadNumber(0);
    f.get(step).extract(0).total(sum).op("f64.mul", "f64.add").storeNumber(0);
    f.get(row, stride).op("i32.add").set(row);
    f.get(at).i32(8).op("i32.add").set(at);
  });
}

interface White {
  readonly f: Code;
  readonly k: Local;
  readonly stride: Local;
  readonly g: Local;
  readonly nextU: Local;
}

/** u = factor · g. */
function whitenDiagonal({ f, k, stride, g, nextU }: White): void {
  const factor = f.local("i32");
  f.word(frame.factor).set(factor);
  f.pairs(k, undefined, stride, () =>
    f.storePair(nextU, k, () => {
      f.two(factor, k).two(g, k).simd("f64x2.mul");
    }));
}

/** u = Lᵀ g: row by row of the transpose, from the pair that holds the diagonal on. */
function whitenDense({ f, k, stride, g, nextU }: White): void {
  const [row, first, at] = [f.local("i32"), f.local("i32"), f.local("i32")];
  const sum = f.local();
  f.word(frame.transposed).set(row).i32(0).set(at);
  f.asLongAs(() => f.get(at, stride).op("i32.lt_u"), () => {
    f.get(at).i32(-16).op("i32.and").set(first);
    f.pair(0).set(sum);
    f.pairs(k, first, stride, () => {
      f.get(sum).two(row, k).two(g, k).simd("f64x2.mul", "f64x2.add").set(sum);
    });
    f.get(nextU, at).op("i32.add").total(sum).storeNumber(0);
    f.get(row, stride).op("i32.add").set(row);
    f.get(at).i32(8).op("i32.add").set(at);
  });
}

interface Kick {
  readonly f: Code;
  readonly k: Local;
  readonly stride: Local;
  readonly half: Local;
  readonly from: Local;
  readonly to: Local;
  readonly direction: Local;
  readonly nextR: Local;
  readonly nextU: Local;
}

/** Second half kick and running sums; pushes the squared momentum. */
function kick({ f, k, stride, half, from, to, direction, nextR, nextU }: Kick): void {
  const [known, next] = [f.local("i32"), f.local("i32")];
  const [momentum, square, sign] = [f.local(), f.local(), f.local()];
  // Forwards S[to] = S[from] + r[to]; backwards S[to − 1] = S[to] − r[to].
  f.get(direction).i32(0).op("i32.lt_s").choose(
    () => f.get(to).set(known).get(to).i32(1).op("i32.sub").set(next),
    () => f.get(from).set(known).get(to).set(next),
  );
  for (const slot of [known, next]) {
    f.word(frame.sums).get(slot, stride).op("i32.mul", "i32.add").set(slot);
  }
  f.get(direction).op("f64.convert_i32_s").simd("f64x2.splat").set(sign);
  f.pair(0).set(square);
  f.pairs(k, undefined, stride, () => {
    f.two(nextR, k).get(half).two(nextU, k).simd("f64x2.mul", "f64x2.add").set(momentum);
    f.storePair(nextR, k, () => f.get(momentum));
    f.get(square, momentum, momentum).simd("f64x2.mul", "f64x2.add").set(square);
    f.storePair(next, k, () => {
      f.two(known, k).get(sign, momentum).simd("f64x2.mul", "f64x2.add");
    });
  });
  f.total(square);
}

/** Whether momenta at the slots `a` and `b` turn against the sum over slots first … last. */
function between(): FunctionBody {
  const f = new Code(["i32", "i32", "i32", "i32"], ["i32"]);
  const [a, b, first, last] = [0, 1, 2, 3];
  const [stride, k] = [f.local("i32"), f.local("i32")];
  f.word(frame.stride).set(stride);
  f.get(first).i32(1).op("i32.sub").set(first);
  const [atA, atB] = [f.row(frame.momenta, a, stride), f.row(frame.momenta, b, stride)];
  const [before, end] = [f.row(frame.sums, first, stride), f.row(frame.sums, last, stride)];
  const [rho, sumA, sumB] = [f.local(), f.local(), f.local()];
  f.pair(0).set(sumA).pair(0).set(sumB);
  f.pairs(k, undefined, stride, () => {
    f.two(end, k).two(before, k).simd("f64x2.sub").set(rho);
    f.get(sumA).two(atA, k).get(rho).simd("f64x2.mul", "f64x2.add").set(sumA);
    f.get(sumB).two(atB, k).get(rho).simd("f64x2.mul", "f64x2.add").set(sumB);
  });
  f.total(sumA).number(0).op("f64.gt").total(sumB).number(0).op("f64.gt");
  return f.op("i32.and", "i32.eqz");
}

/** Whether the tree of slots left … right turns, or what joins its halves. */
function turns(): FunctionBody {
  const f = new Code(["i32", "i32", "i32"], ["i32"]);
  const [left, middle, right] = [0, 1, 2];
  const yes = () => f.i32(1).op("return");
  f.get(left, right, left, right).call(numberOf("between")).when(yes);
  f.get(right, left).op("i32.sub").i32(1).op("i32.eq").when(() => f.i32(0).op("return"));
  const following = f.local("i32");
  f.get(middle).i32(1).op("i32.add").set(following);
  f.get(left, following, left, following).call(numberOf("between")).when(yes);
  return f.get(middle, right, middle, right).call(numberOf("between"));
}

/** Grows a subtree of 2^depth states; returns its outcome. */
function growTree(): FunctionBody {
  const f = new Code(["i32", "i32", "i32"], ["i32"]);
  const [slot, direction, depth] = [0, 1, 2];
  const [leaf, count] = [f.local("i32"), f.local("i32")];
  const error = f.local("f64");
  f.i32(1).get(depth).op("i32.shl").set(count).i32(1).set(leaf);
  f.asLongAs(() => f.get(leaf, count).op("i32.le_s"), () => {
    f.get(slot, direction).call(numberOf("leapfrog")).set(error);
    f.get(slot, direction).op("i32.add").set(slot);
    f.i32(0).word(frame.steps).i32(1).op("i32.add").storeIndex(frame.steps);
    f.get(error).number(maxEnergyError).op("f64.le", "i32.eqz");
    f.when(() => f.i32(outcome.diverges).op("return"));
    f.get(error).op("f64.neg").number(maxLogWeight).op("f64.min").simd("f64x2.splat");
    const weight = f.local("f64");
    f.call(numberOf("exp")).extract(0).set(weight);
    f.i32(0).value(frame.acceptanceSum).get(weight).number(1).op("f64.min", "f64.add");
    f.storeNumber(frame.acceptanceSum);
    merge(f, { slot, direction, leaf, weight });
    f.get(leaf).i32(1).op("i32.add").set(leaf);
  });
  return f.i32(outcome.valid);
}

interface Leaf {
  readonly slot: Local;
  readonly direction: Local;
  readonly leaf: Local;
  readonly weight: Local;
}

/** Merges the subtrees that a leaf completes; leaves the function if one turns. */
function merge(f: Code, { slot, direction, leaf, weight }: Leaf): void {
  const [proposal, level, rest] = [f.local("i32"), f.local("i32"), f.local("i32")];
  const [half, left] = [f.local("i32"), f.local("i32")];
  const total = f.local("f64");
  const weights = () => f.word(frame.levelWeights).get(level).i32(8).op("i32.mul", "i32.add");
  const proposals = () => f.word(frame.levelProposals).get(level).i32(4).op("i32.mul", "i32.add");
  f.get(slot).set(proposal).i32(0).set(level).get(leaf).set(rest);
  f.asLongAs(() => f.get(rest).i32(1).op("i32.and", "i32.eqz"), () => {
    weights().loadNumber(0).get(weight).op("f64.add").set(total);
    f.call(numberOf("uniform")).get(total).op("f64.mul").get(weight).op("f64.ge");
    f.when(() => proposals().loadIndex(0).set(proposal));
    f.get(total).set(weight);
    f.i32(1).get(level).op("i32.shl").set(half);
    f.get(level).i32(1).op("i32.add").set(level);
    f.get(slot).set(left);
    f.get(direction).i32(1).op("i32.eq").when(() =>
      f.get(slot, half).i32(1).op("i32.shl", "i32.sub").i32(1).op("i32.add").set(left)
    );
    f.get(left);
    f.get(left, half).op("i32.add").i32(1).op("i32.sub");
    f.get(left, half).i32(1).op("i32.shl", "i32.add").i32(1).op("i32.sub");
    f.call(numberOf("turns")).when(() => f.i32(outcome.turns).op("return"));
    f.get(rest).i32(1).op("i32.shr_u").set(rest);
  });
  weights().get(weight).storeNumber(0);
  proposals().get(proposal).storeIndex(0);
}
