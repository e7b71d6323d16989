/** Network from the summary of a data set to a log flow of each of its programs. */
import { place, type Plan, type Slot } from "../parameters/parameter_layout.ts";
import type { NetworkShape } from "./network_shape.ts";
import { members } from "./normal_regressions.ts";
import type { ProgramSummaries } from "./program_summaries.ts";
import { type DataSummary, featureSizes } from "./summary.ts";
import { type Flows, type Learnable, mapPlan, Pass } from "./network_pass.ts";
import type { Node } from "./tape.ts";

const heads = 4;

/**
 * Predictors are tokens of pooled numbers, the data set is one more; attention looks over all of them,
 * with a bias from numbers of the pair. A program is the sum of its predictors' tokens, of its pairs
 * and of the data's, beside its own numbers; its log flow is −½ AICc plus the output of two layers.
 * The order of predictors makes no difference (as in AVICI, Lorch et al. 2022), nor does the number of
 * rows. Flows of prefixes are sums over their completions, so they balance by construction.
 */
export class ProgramNetwork {
  readonly #slots: ReadonlyMap<string, Slot>;

  constructor(readonly shape: NetworkShape) {
    this.#slots = new Map(programLayout(shape).map((slot) => [slot.name, slot]));
  }

  /** Log flows of these programs; with a gradient among the parameters `back` may be called. */
  flows(parameters: Learnable, summary: DataSummary, programs: ProgramSummaries): Flows {
    const pass = new Pass(this.#slots, parameters);
    const tokens = tokensOf(pass, summary, this.shape);
    const sums = sumsOf(pass, tokens, summary, programs);
    const { tape } = pass;
    const second = tape.relu(pass.map(tape.relu(pass.map(sums, "mix")), "deep"));
    return pass.flows(second, programs.begun);
  }
}

/** Tokens of the data set and of its predictors after all layers, given the pairs. */
function tokensOf(pass: Pass, summary: DataSummary, shape: NetworkShape): (pairs: Node) => Node {
  const { predictors: p, tokens, data } = summary;
  const { tape } = pass;
  const whole = pass.map(tape.constant(1, featureSizes.data, data), "data");
  const own = pass.map(tape.constant(p, featureSizes.predictor, tokens), "predictor");
  const begin = tape.stack(whole, own);
  return (pairs) => {
    let x = begin;
    for (let l = 0; l < shape.layers; l++) x = layer(pass, x, pairs, `layers.${l}`);
    return x;
  };
}

function layer(pass: Pass, x: Node, pairs: Node, name: string): Node {
  const { tape } = pass;
  const bias = pass.map(pairs, `${name}.pairs`);
  const looked = pass.map(tape.normalise(x, pass.node(`${name}.gain`)), `${name}.look`);
  const y = tape.add(x, pass.map(tape.attention(looked, bias, heads), `${name}.seen`));
  const inner = pass.map(tape.normalise(y, pass.node(`${name}.inner_gain`)), `${name}.inner`);
  return tape.add(y, pass.map(tape.relu(inner), `${name}.outer`));
}

/** `[programs, sum + program]`: sums over included predictors, beside numbers of the program. */
function sumsOf(
  pass: Pass,
  tokensAfter: (pairs: Node) => Node,
  { predictors: p, pairs: given }: DataSummary,
  { programs, features }: ProgramSummaries,
): Node {
  const { tape } = pass;
  const n = p + 1;
  const all = tape.constant(n * n, featureSizes.pair + 1, withData(given, p));
  const pairs = tape.relu(pass.map(all, "pair"));
  const singles = pass.map(tokensAfter(pairs), "single");
  const both = pass.map(pairs, "both");
  const sets = Array.from(programs, members);
  const sums = tape.sumSets(singles, both, sets);
  return tape.beside(sums, tape.constant(sets.length, featureSizes.program, features));
}

/** Numbers of pairs; those with the data set are 0 except for a 1 that marks them. */
function withData(pairs: Float64Array, p: number): Float64Array {
  const [size, n] = [featureSizes.pair, p + 1];
  const all = new Float64Array(n * n * (size + 1));
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const at = (i * n + j) * (size + 1);
      if (i === 0 || j === 0) all[at + size] = 1;
      else all.set(pairs.subarray(((i - 1) * p + j - 1) * size, ((i - 1) * p + j) * size), at);
    }
  }
  return all;
}

/** Numbers of a pair after their map, and of a program's sum. */
const pairWidth = 12;
const sumWidth = 24;

/** Places of the parameters: normal by the fan in of each map; the last map is 0, so that AICc is the beginning. */
export function programLayout({ layers, width, hidden }: NetworkShape): Slot[] {
  const size = featureSizes;
  const gain = (name: string): Plan => [[name, [1, width], "ones"]];
  const ofLayer = (name: string): Plan => [
    ...mapPlan(`${name}.pairs`, pairWidth, heads),
    ...gain(`${name}.gain`),
    ...mapPlan(`${name}.look`, width, 3 * width),
    ...mapPlan(`${name}.seen`, width, width),
    ...gain(`${name}.inner_gain`),
    ...mapPlan(`${name}.inner`, width, 2 * width),
    ...mapPlan(`${name}.outer`, 2 * width, width),
  ];
  return place([
    ...mapPlan("data", size.data, width),
    ...mapPlan("predictor", size.predictor, width),
    ...mapPlan("pair", size.pair + 1, pairWidth),
    ...Array.from({ length: layers }, (_, l) => ofLayer(`layers.${l}`)).flat(),
    ...mapPlan("single", width, sumWidth),
    ...mapPlan("both", pairWidth, sumWidth),
    ...mapPlan("mix", sumWidth + size.program, hidden),
    ...mapPlan("deep", hidden, hidden),
    ...mapPlan("flow", hidden, 2),
  ]);
}
