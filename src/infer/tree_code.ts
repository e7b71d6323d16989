/** Generated code that grows trees of leapfrog steps, with the bits of src/infer/nuts.ts. */
import { FunctionBody, type Local, type ValueType } from "../math/wasm/function_body.ts";
import { FunctionLibrary } from "../math/wasm/library.ts";
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

const library = new FunctionLibrary(["exp"], 0);
const functions = ["word", "uniform", "leapfrog", "between", "turns", "grow"] as const;
/** Number of a function: those of the library come first. */
const numberOf = (name: typeof functions[number]): number =>
  library.count + functions.indexOf(name);
const gradientType: FunctionType = { parameters: ["i32", "i32"], results: ["f64"] };

/** Bytes of a row up to which loops over it are written out: six pairs. */
const mostWritten = 96;

let table: WebAssembly.Table | undefined;
/** By the bytes of a row, 0 for long ones. */
const codes = new Map<number, TreeCode>();

/**
 * The code for trees of this log density, whose states have rows of `stride` bytes: one module for
 * each small width, and one for all others.
 */
export function treeCodeOf(
  gradient: (position: number, gradient: number) => number,
  stride: number,
): TreeCode {
  table ??= new WebAssembly.Table({ element: "anyfunc", initial: 1 });
  table.set(0, gradient);
  const width = stride <= mostWritten ? stride : 0;
  const known = codes.get(width);
  if (known) return known;
  const code = instantiate(table, width);
  codes.set(width, code);
  return code;
}

function instantiate(table: WebAssembly.Table, width: number): TreeCode {
  const own = [word, uniform, leapfrog, between, turns, growTree].map((write) => write(width));
  const exported = (["grow", "turns"] as const).map((name) => ({ name, index: numberOf(name) }));
  const bytes = assembleModule([], [...library.bodies(), ...own], exported, gradientType);
  const host = { memory: sharedMemory(), table };
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { host });
  return instance.exports as unknown as TreeCode;
}

/** A place in a row: bytes from its beginning, beside those in a variable. */
interface Place {
  readonly local?: Local;
  readonly bytes: number;
}

/** A pair of elements, in a row of states and in the row of a matrix that lies at an address. */
interface Pair {
  readonly place: Place;
  readonly inRow: Place;
}

/** What is done with the row of a matrix whose diagonal is at a place. */
type RowBody = (row: Local, at: Place, pairs: (over: (k: Pair) => void) => void) => void;

/** Code that addresses the frame and rows of states. */
class Code extends FunctionBody {
  /** @param stride bytes of a row, if loops over it are to be written out; otherwise 0. */
  constructor(
    readonly stride: number,
    parameters: readonly ValueType[],
    results: readonly ValueType[],
  ) {
    super(parameters, results);
  }

  /** A new variable that holds the bytes of a row. */
  rowBytes(): Local {
    return (this.stride > 0 ? this.i32(this.stride) : this.word(frame.stride)).holdWord();
  }

  /** Pushes the address of a place. */
  address(row: Local, { local }: Place): this {
    return local === undefined ? this.get(row) : this.get(row, local).op("i32.add");
  }

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
  two(row: Local, at: Place): this {
    return this.address(row, at).load(at.bytes);
  }

  /** Stores two elements, which `push` pushes, into a row. */
  storeTwo(row: Local, at: Place, push: () => void): this {
    this.address(row, at);
    push();
    return this.store(at.bytes);
  }

  /** Runs `body` for every pair of elements of a row. */
  pairs(body: (at: Place) => void): this {
    if (this.stride > 0) {
      for (let bytes = 0; bytes < this.stride; bytes += 16) body({ bytes });
      return this;
    }
    const first = this.i32(0).holdWord();
    return this.pairsFrom(first, this.rowBytes(), body);
  }

  /** Runs `body` for every pair from `local`, which moves on, to below `end` bytes. */
  pairsFrom(local: Local, end: Local, body: (at: Place) => void): this {
    return this.asLongAs(() => this.get(local, end).op("i32.lt_u"), () => {
      body({ local, bytes: 0 });
      this.get(local).i32(16).op("i32.add").set(local);
    });
  }

  /**
   * Runs `body` for every row of a matrix, with what runs over its pairs up to that of the diagonal,
   * or from there on.
   */
  rows(
    matrix: number,
    stride: Local,
    part: "below" | "above",
    body: RowBody,
  ): void {
    const row = this.word(matrix).holdWord();
    if (this.stride > 0) return this.#writtenRows(row, part, body);
    const at = this.i32(0).holdWord();
    this.asLongAs(() => this.get(at, stride).op("i32.lt_u"), () => {
      const diagonal = this.get(at).i32(-16).op("i32.and").holdWord();
      body(row, { local: at, bytes: 0 }, (over) => {
        const first = part === "below" ? this.i32(0).holdWord() : diagonal;
        const end = part === "below" ? this.get(diagonal).i32(16).op("i32.add").holdWord() : stride;
        this.pairsFrom(first, end, (place) => over({ place, inRow: place }));
      });
      this.get(row, stride).op("i32.add").set(row);
      this.get(at).i32(8).op("i32.add").set(at);
    });
  }

  #writtenRows(row: Local, part: "below" | "above", body: RowBody): void {
    for (let at = 0, begin = 0; at < this.stride; at += 8, begin += this.stride) {
      const diagonal = at & -16;
      const [first, last] = part === "below" ? [0, diagonal] : [diagonal, this.stride - 16];
      body(row, { bytes: at }, (over) => {
        for (let bytes = first; bytes <= last; bytes += 16) {
          over({ place: { bytes }, inRow: { bytes: begin + bytes } });
        }
      });
    }
  }

  /** A new variable that holds the word on the stack. */
  holdWord(): Local {
    const local = this.local("i32");
    this.set(local);
    return local;
  }

  /** Pushes the sum of both lanes. */
  total(sum: Local): this {
    return this.get(sum).extract(0).get(sum).extract(1).op("f64.add");
  }
}

/** The next word of the random stream: `RandomStream.uint32`. */
function word(width: number): FunctionBody {
  const f = new Code(width, [], ["i32"]);
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
function uniform(width: number): FunctionBody {
  const f = new Code(width, [], ["f64"]);
  const half = () => f.call(numberOf("word")).i32(6).op("i32.shr_u", "f64.convert_i32_u");
  half().number(67108864).op("f64.mul");
  half().op("f64.add").number(0.5).op("f64.add").number(4503599627370496).op("f64.div");
  return f;
}

/** One step from slot `from`; returns the energy error. */
function leapfrog(width: number): FunctionBody {
  const f = new Code(width, ["i32", "i32"], ["f64"]);
  const [from, direction] = [0, 1];
  const [to, stride] = [f.local("i32"), f.rowBytes()];
  f.get(from, direction).op("i32.add").set(to);
  const row = (base: number, slot: Local) => f.row(base, slot, stride);
  const [q, nextQ] = [row(frame.positions, from), row(frame.positions, to)];
  const [r, nextR] = [row(frame.momenta, from), row(frame.momenta, to)];
  const [u, nextU] = [row(frame.whiteGradients, from), row(frame.whiteGradients, to)];
  const g = row(frame.gradients, to);
  f.get(direction).op("f64.convert_i32_s").value(frame.stepSize).op("f64.mul");
  const step = f.simd("f64x2.splat").hold();
  const half = f.pair(0.5).get(step).simd("f64x2.mul").hold();
  f.pairs((k) =>
    f.storeTwo(nextR, k, () => {
      f.two(r, k).get(half).two(u, k).simd("f64x2.mul", "f64x2.add");
    })
  );
  const dense = () => f.word(frame.transposed);
  const drift = { f, stride, step, q, nextQ, nextR };
  dense().choose(() => driftDense(drift), () => driftDiagonal(drift));
  f.get(nextQ, g).i32(0).callIndirect(library.count + functions.length);
  const value = f.local("f64");
  f.set(value).word(frame.logDensities).get(to).i32(8).op("i32.mul", "i32.add");
  f.get(value).storeNumber(0);
  const white = { f, stride, g, nextU };
  dense().choose(() => whitenDense(white), () => whitenDiagonal(white));
  kick({ f, stride, half, from, to, direction, nextR, nextU });
  return f.number(0.5).op("f64.mul").get(value).op("f64.sub").value(frame.initialEnergy)
    .op("f64.sub");
}

interface Drift {
  readonly f: Code;
  readonly stride: Local;
  readonly step: Local;
  readonly q: Local;
  readonly nextQ: Local;
  readonly nextR: Local;
}

/** q' = q + (step · factor) · r'. */
function driftDiagonal({ f, step, q, nextQ, nextR }: Drift): void {
  const factor = f.local("i32");
  f.word(frame.factor).set(factor);
  f.pairs((k) =>
    f.storeTwo(nextQ, k, () => {
      f.two(q, k).get(step).two(factor, k).simd("f64x2.mul").two(nextR, k);
      f.simd("f64x2.mul", "f64x2.add");
    })
  );
}

/** q' = q + step · (L r'): row by row, up to the pair that holds the diagonal. */
function driftDense({ f, stride, step, q, nextQ, nextR }: Drift): void {
  f.rows(frame.factor, stride, "below", (row, at, pairs) => {
    const sum = f.pair(0).hold();
    pairs((k) => {
      f.get(sum).two(row, k.inRow).two(nextR, k.place).simd("f64x2.mul", "f64x2.add").set(sum);
    });
    f.address(nextQ, at).address(q, at).loadNumber(at.bytes);
    f.get(step).extract(0).total(sum).op("f64.mul", "f64.add").storeNumber(at.bytes);
  });
}

interface White {
  readonly f: Code;
  readonly stride: Local;
  readonly g: Local;
  readonly nextU: Local;
}

/** u = factor · g. */
function whitenDiagonal({ f, g, nextU }: White): void {
  const factor = f.local("i32");
  f.word(frame.factor).set(factor);
  f.pairs((k) =>
    f.storeTwo(nextU, k, () => {
      f.two(factor, k).two(g, k).simd("f64x2.mul");
    })
  );
}

/** u = Lᵀ g: row by row of the transpose, from the pair that holds the diagonal on. */
function whitenDense({ f, stride, g, nextU }: White): void {
  f.rows(frame.transposed, stride, "above", (row, at, pairs) => {
    const sum = f.pair(0).hold();
    pairs((k) => {
      f.get(sum).two(row, k.inRow).two(g, k.place).simd("f64x2.mul", "f64x2.add").set(sum);
    });
    f.address(nextU, at).total(sum).storeNumber(at.bytes);
  });
}

interface Kick {
  readonly f: Code;
  readonly stride: Local;
  readonly half: Local;
  readonly from: Local;
  readonly to: Local;
  readonly direction: Local;
  readonly nextR: Local;
  readonly nextU: Local;
}

/** Second half kick and running sums; pushes the squared momentum. */
function kick({ f, stride, half, from, to, direction, nextR, nextU }: Kick): void {
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
  f.pairs((k) => {
    f.two(nextR, k).get(half).two(nextU, k).simd("f64x2.mul", "f64x2.add").set(momentum);
    f.storeTwo(nextR, k, () => f.get(momentum));
    f.get(square, momentum, momentum).simd("f64x2.mul", "f64x2.add").set(square);
    f.storeTwo(next, k, () => {
      f.two(known, k).get(sign, momentum).simd("f64x2.mul", "f64x2.add");
    });
  });
  f.total(square);
}

/** Whether momenta at the slots `a` and `b` turn against the sum over slots first … last. */
function between(width: number): FunctionBody {
  const f = new Code(width, ["i32", "i32", "i32", "i32"], ["i32"]);
  const [a, b, first, last] = [0, 1, 2, 3];
  const stride = f.rowBytes();
  f.get(first).i32(1).op("i32.sub").set(first);
  const [atA, atB] = [f.row(frame.momenta, a, stride), f.row(frame.momenta, b, stride)];
  const [before, end] = [f.row(frame.sums, first, stride), f.row(frame.sums, last, stride)];
  const [rho, sumA, sumB] = [f.local(), f.local(), f.local()];
  f.pair(0).set(sumA).pair(0).set(sumB);
  f.pairs((k) => {
    f.two(end, k).two(before, k).simd("f64x2.sub").set(rho);
    f.get(sumA).two(atA, k).get(rho).simd("f64x2.mul", "f64x2.add").set(sumA);
    f.get(sumB).two(atB, k).get(rho).simd("f64x2.mul", "f64x2.add").set(sumB);
  });
  f.total(sumA).number(0).op("f64.gt").total(sumB).number(0).op("f64.gt");
  return f.op("i32.and", "i32.eqz");
}

/** Whether the tree of slots left … right turns, or what joins its halves. */
function turns(width: number): FunctionBody {
  const f = new Code(width, ["i32", "i32", "i32"], ["i32"]);
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
function growTree(width: number): FunctionBody {
  const f = new Code(width, ["i32", "i32", "i32"], ["i32"]);
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
    f.call(library.index("exp")).extract(0).set(weight);
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
