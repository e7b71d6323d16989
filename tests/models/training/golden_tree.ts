/** The models and the tree of tokens that `tools/golden/decoder_gradients.py` has gradients of. */
import { openCheckpoint } from "../../../src/models/decoder/checkpoint.ts";
import { readWeights } from "../../../src/models/decoder/weights.ts";
import type { HeadRow, TokenTree, TreePass } from "../../../src/models/training/token_tree.ts";
import {
  TrainedModel,
  type TrainedModelOptions,
} from "../../../src/models/training/trained_model.ts";
import decoders from "../../golden/decoders.json" with { type: "json" };
import golden from "../../golden/decoder_gradients.json" with { type: "json" };
import { farthest, tinyFolder, type TinyName } from "../checkpoints.ts";

export const { rank, alpha } = golden;
export const base = { name: "tiny", sha256: "0123456789abcdef" };
export const tinyNames = Object.keys(golden.cases) as TinyName[];

/** A tiny model that is trained; adapters of all maps unless it says otherwise. */
export function trainTiny(
  name: TinyName,
  options: Partial<TrainedModelOptions> = {},
): TrainedModel {
  const { config, file } = openCheckpoint(tinyFolder(name));
  const weights = readWeights(file, config);
  file.close();
  const adapter = { rank, alpha, targets: "all-linear" as const };
  return new TrainedModel({ config, weights, base, adapter, seedKey: "seed 20", ...options });
}

/** The adapter that goldens begin with: waves, by names in order, A and B of their own heights. */
export function setWaves(model: TrainedModel, [ofA, ofB] = [0.3, 0.3]): void {
  const sorted = [...model.trained].sort((a, b) => a.name < b.name ? -1 : 1);
  sorted.forEach(({ name, values }, phase) => {
    const [view, height] = [values(), name.includes("lora_A") ? ofA : ofB];
    for (let i = 0; i < view.length; i++) view[i] = height * Math.sin(0.37 * i + phase);
  });
}

/** Parts of the loss: a tree, rows, and the weights of their log probabilities. */
export interface WeightedTree {
  readonly tree: TokenTree;
  readonly rows: readonly HeadRow[];
  readonly weights: readonly Float64Array[];
}

/** The four sequences, three of which begin alike. */
export function goldenSequences(name: TinyName): number[][] {
  const { ids } = decoders.cases[name];
  return [
    ids,
    [...ids.slice(0, 9), 7, 8, 9, 10],
    [...ids.slice(0, 4), 11, 12, 13],
    [5, 6, 7, 8, 9, 10],
  ];
}

/** Sequences as one tree; every edge once, and three legal tokens behind every leaf. */
export function goldenTree(name: TinyName, count = 4): WeightedTree {
  const [ids, parents, places]: [number[], number[], Map<string, number>] = [[], [], new Map()];
  const [rows, weights]: [HeadRow[], Float64Array[]] = [[], []];
  const legal = Int32Array.from(golden.legal);
  let edges = 0;
  for (const sequence of goldenSequences(name).slice(0, count)) {
    let node = -1;
    for (const [t, id] of sequence.entries()) {
      const key = sequence.slice(0, t + 1).join();
      const parent = node;
      node = places.get(key) ?? ids.length;
      if (places.has(key)) continue;
      places.set(key, node);
      ids.push(id);
      parents.push(parent);
      if (parent < 0) continue;
      rows.push({ node: parent, legal: "all", picked: Int32Array.of(id) });
      weights.push(Float64Array.of(Math.cos(edges++)));
    }
    rows.push({ node, legal });
    weights.push(Float64Array.from(legal, () => Math.cos(edges++)));
  }
  const tree = { ids: Int32Array.from(ids), parents: Int32Array.from(parents) };
  return { tree, rows, weights };
}

/** The weighted sum of log probabilities. */
export function lossOf({ logProbabilities }: TreePass, { weights }: WeightedTree): number {
  return weights.reduce(
    (sum, row, i) =>
      sum + row.reduce((part, weight, j) => part + weight * logProbabilities[i][j], 0),
    0,
  );
}

/** Scores a tree, and adds the gradient of its loss. */
export function backward(model: TrainedModel, weighted: WeightedTree): number {
  const pass = model.pass(weighted.tree, weighted.rows, { grad: true });
  const loss = lossOf(pass, weighted);
  pass.backward(weighted.weights);
  pass.release();
  return loss;
}

/** The largest distance of summaries, in norms of the tensors; all of `wanted` must be found. */
export function farthestSummary(
  found: ReadonlyMap<string, ArrayLike<number>>,
  wanted: Readonly<Record<string, readonly number[]>>,
): number {
  return Math.max(
    ...Object.entries(wanted).map(([name, numbers]) =>
      farthest(summary(found.get(name)!), numbers) / numbers[0]
    ),
  );
}

/** As `summary` of the golden's script: norm, product with a wave, some numbers. */
export function summary(values: ArrayLike<number>): number[] {
  const flat = Float64Array.from(values);
  const norm = Math.sqrt(flat.reduce((sum, x) => sum + x * x, 0));
  const wave = flat.reduce((sum, x, i) => sum + x * Math.cos(i), 0);
  const some = [0, 1, 2, 3, 4, 5].map((k) => flat[Math.trunc(k * (flat.length - 1) / 5)]);
  return [norm, wave, ...some];
}
