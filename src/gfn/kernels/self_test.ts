/** Runs every kernel once on small inputs and compares it with plain code. */
import { RandomStream } from "../../base/random.ts";
import { Linear, PackingRoom } from "./linear.ts";
import { Machine } from "./machine.ts";
import { causalSoftmax, type Matrix, matrix, normalised, normalisedGradient } from "./plain.ts";
import { product, rowScales, softmaxBackward, transpose } from "./plain.ts";

/** Relative to the largest number of the plain result, with one unit at least. */
const tolerance = 2e-5;

/** A machine, numbers for its input, and the problems found so far. */
class Examiner {
  readonly #random = new RandomStream("kernel self-test");
  readonly problems: string[] = [];

  constructor(readonly machine: Machine) {}

  /** Numbers between −2 and 2, as single precision holds them. */
  random(rows: number, columns: number): Matrix {
    return matrix(rows, columns, () => Math.fround(4 * this.#random.uniform() - 2));
  }

  /** Puts numbers into the memory. */
  put({ values }: { readonly values: ArrayLike<number> }): number {
    const address = this.machine.allocate(values.length);
    this.machine.f32(address, values.length).set(values);
    return address;
  }

  /** Notes a problem unless the memory agrees with plain code. */
  expect(name: string, address: number, { values }: { readonly values: ArrayLike<number> }): void {
    const found = this.machine.f32(address, values.length);
    const wanted = Array.from(values);
    const scale = wanted.reduce((max, x) => Math.max(max, Math.abs(x)), 1);
    const isWrong = (x: number, i: number) => !(Math.abs(x - found[i]) <= tolerance * scale);
    if (wanted.some(isWrong)) this.problems.push(name);
  }
}

/**
 * Empty if every kernel agrees with plain code on this machine; else which do not, or why none can
 * run. Takes a few milliseconds.
 *
 * @param open Makes the machine that is tested.
 */
export function selfTest(open: () => Machine = () => new Machine()): string {
  try {
    const examiner = new Examiner(open());
    for (const test of [linearMaps, normalisation, attention, rows, embeddings, optimizer]) {
      test(examiner);
    }
    const { problems } = examiner;
    return problems.length === 0 ? "" : `wrong results of ${[...new Set(problems)].join(", ")}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function linearMaps(examiner: Examiner): void {
  for (const [rows, inputs, outputs] of [[7, 5, 11], [66, 12, 16], [300, 4, 3]]) {
    const { machine } = examiner;
    const [x, w] = [examiner.random(rows, inputs), examiner.random(inputs, outputs)];
    const [bias, dy] = [examiner.random(1, outputs), examiner.random(rows, outputs)];
    const [weightGradient, weight] = [machine.zeros(inputs * outputs), examiner.put(w)];
    const places = { weight, weightGradient, bias: examiner.put(bias) };
    const map = new Linear(machine, new PackingRoom(machine), inputs, outputs, places);
    map.pack();
    const source = { address: examiner.put(x), stride: inputs };
    const target = { address: machine.zeros(rows * outputs), stride: outputs };
    const above = { address: examiner.put(dy), stride: outputs };
    const below = { address: machine.zeros(rows * inputs), stride: inputs };
    const plain = product(x, w);
    const shifted = Array.from(plain.values, (z, i) => z + bias.values[i % outputs]);
    map.forward(source, target, rows, { slope: 0.25 });
    const leaky = shifted.map((z) => Math.max(z, 0.25 * z));
    examiner.expect("multiplyRows", target.address, { values: leaky });
    map.forward(source, target, rows, { accumulate: true });
    const both = leaky.map((z, i) => z + plain.values[i]);
    examiner.expect("multiplyRows", target.address, { values: both });
    map.backward(above, below, rows);
    examiner.expect("packTransposed", below.address, product(dy, transpose(w)));
    map.addGradients(source, above, rows);
    examiner.expect("multiplyPanels", weightGradient, product(transpose(x), dy));
  }
}

function normalisation(examiner: Examiner): void {
  const { machine } = examiner;
  const [x, dy, gain] = [examiner.random(3, 8), examiner.random(3, 8), examiner.random(1, 8)];
  const [a, b, g] = [examiner.put(x), examiner.put(dy), examiner.put(gain)];
  const [y, scales, dx, dGain] = [24, 3, 24, 8].map((count) => machine.zeros(count));
  machine.kernels.normalise(a, g, y, scales, 3, 8);
  examiner.expect("normalise", y, normalised(x, gain.values));
  examiner.expect("normalise", scales, { values: rowScales(x) });
  machine.kernels.normaliseGradient(a, g, scales, b, dx, dGain, 3, 8);
  const plain = normalisedGradient(x, gain.values, dy);
  examiner.expect("normaliseGradient", dx, plain.dx);
  examiner.expect("normaliseGradient", dGain, plain.dGain);
}

function attention(examiner: Examiner): void {
  const { machine } = examiner;
  const [T, padded] = [7, 8];
  const square = examiner.random(T, padded);
  const dp = matrix(T, padded, (i, j) => j < T ? examiner.random(1, 1).values[0] + 0 * i : 0);
  const p = causalSoftmax(square, 0.5);
  const [scores, gradient] = [examiner.put(square), examiner.put(dp)];
  machine.kernels.softmaxCausal(scores, 4 * padded, T, 0.5);
  examiner.expect("softmaxCausal", scores, p);
  machine.kernels.softmaxGradient(scores, gradient, 4 * padded, T, 0.5);
  examiner.expect("softmaxGradient", gradient, softmaxBackward(p, dp, 0.5));
  cached(examiner);
}

/** The last row of attention after six positions, with two heads of four numbers. */
function cached(examiner: Examiner): void {
  const { machine } = examiner;
  const [T, width] = [6, 8];
  const fused = examiner.random(T, 3 * width);
  const [from, cache] = [examiner.put(fused), machine.zeros(2 * T * width)];
  const [scratch, out] = [machine.zeros(T + 4), machine.zeros(width)];
  for (let t = 0; t < T; t++) {
    const row = from + 12 * width * t;
    machine.kernels.attendCached(row, cache, t + 1, 2, 4, T, scratch, out, 0.5);
  }
  const plain = [0, 1].flatMap((head) => {
    const part = (third: number) =>
      matrix(T, 4, (i, j) => fused.values[(3 * i + third) * width + 4 * head + j]);
    const scores = product(part(0), transpose(part(1)));
    return Array.from(product(causalSoftmax(scores, 0.5), part(2)).values).slice(-4);
  });
  examiner.expect("attendCached", out, { values: plain });
}

function rows(examiner: Examiner): void {
  const { machine } = examiner;
  const [x, y] = [examiner.random(5, 8), examiner.random(5, 8)];
  const [a, b, sums] = [examiner.put(x), examiner.put(y), machine.zeros(8)];
  machine.kernels.columnSums(a, 32, 5, 8, sums);
  examiner.expect("columnSums", sums, product(matrix(1, 5, () => 1), x));
  machine.kernels.activationGradient(a, b, 40, 0.25);
  const gated = Array.from(y.values, (g, i) => x.values[i] > 0 ? g : 0.25 * g);
  examiner.expect("activationGradient", b, { values: gated });
  const bias = examiner.random(1, 7);
  const bent = Array.from({ length: 35 }, (_, i) => {
    const z = x.values[8 * Math.floor(i / 7) + i % 7] + bias.values[i % 7];
    return Math.max(z, 0.25 * z);
  });
  const [c, shift] = [machine.allocate(35), examiner.put(bias)];
  for (let row = 0; row < 5; row++) machine.copy(c + 28 * row, a + 32 * row, 7);
  machine.kernels.shiftAndBend(c, 28, 5, 7, shift, 0.25);
  examiner.expect("shiftAndBend", c, { values: bent });
}

function embeddings(examiner: Examiner): void {
  const { machine } = examiner;
  const [first, second] = [examiner.random(3, 4), examiner.random(2, 4)];
  const tables = [examiner.put(first), examiner.put(second)];
  const [actions, positions] = [[2, 0, 2], [0, 1, 1]];
  const lists = [actions, positions].map((list) => {
    const address = machine.allocate(3);
    machine.i32(address, 3).set(list);
    return address;
  });
  const out = machine.zeros(12);
  machine.kernels.embed(...lists, ...tables, out, 3, 4);
  const plain = matrix(3, 4, (i, j) => {
    return first.values[4 * actions[i] + j] + second.values[4 * positions[i] + j];
  });
  examiner.expect("embed", out, plain);
  const gradients = [machine.zeros(12), machine.zeros(8)];
  machine.kernels.embedGradient(...lists, ...gradients, out, 3, 4);
  [actions, positions].forEach((list, table) => {
    const count = table === 0 ? 3 : 2;
    const chosen = matrix(count, 3, (row, i) => list[i] === row ? 1 : 0);
    examiner.expect("embedGradient", gradients[table], product(chosen, plain));
  });
}

function optimizer(examiner: Examiner): void {
  const { machine } = examiner;
  const [x, g, f] = [examiner.random(1, 8), examiner.random(1, 8), examiner.random(1, 8)];
  const [parameters, gradient, factors] = [examiner.put(x), examiner.put(g), examiner.put(f)];
  const [first, second, average] = [machine.zeros(8), machine.zeros(8), machine.zeros(8)];
  const square = Array.from(g.values).reduce((sum, one) => sum + one * one, 0);
  if (!(Math.abs(machine.kernels.sumOfSquares(gradient, 8) - square) < 1e-9 * square)) {
    examiner.problems.push("sumOfSquares");
  }
  const corrections = [0.1, 0.001];
  machine.kernels.adam(
    ...[parameters, gradient, first, second, factors, 8, 0.5, ...corrections, 0.125],
  );
  const moved = Array.from(
    x.values,
    (value, i) => value - 0.125 * f.values[i] * Math.sign(g.values[i]),
  );
  examiner.expect("adam", parameters, { values: moved });
  examiner.expect("adam", gradient, { values: new Float32Array(8) });
  machine.kernels.moveTowards(average, parameters, 8, 0.25);
  examiner.expect("moveTowards", average, { values: moved.map((value) => 0.25 * value) });
}
