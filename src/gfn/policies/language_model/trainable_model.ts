/** A model whose forward pass is all there is: it samples and scores, and is not learned yet. */
import type { Blas } from "../../../base/blas/blas.ts";
import type { NamedTensor } from "../../../base/safetensors.ts";
import { Decoder } from "../../../models/decoder/decoder.ts";
import type { ModelConfig } from "../../../models/decoder/model_config.ts";
import type { Weights } from "../../../models/decoder/weights.ts";
import type {
  HeadRow,
  LegalChunk,
  TokenTree,
  TrainableModel,
  TreePass,
} from "../../../models/training/token_tree.ts";
import type { LanguageModelConfig } from "../kinds/language_model.ts";
import { legalLogSoftmax } from "../legal_softmax.ts";

/** How what is trained begins. */
export interface TrainableOptions {
  readonly adapter: LanguageModelConfig["adapter"];
  /** Names the random numbers of the first values. */
  readonly seedKey: string;
  readonly blas: Blas | undefined;
}

/** The model of these weights. */
export function trainableModel(
  config: ModelConfig,
  weights: Weights,
  { blas }: TrainableOptions,
): TrainableModel {
  const decoder = new Decoder(config, weights, { blas });
  const row = (logits: Float32Array, legal: Int32Array | "all") =>
    legalLogSoftmax(logits, legal, config.vocabulary);
  const unable = () => new Error("A language model cannot be trained yet");
  const advance = (chunks: readonly LegalChunk[]) => {
    return decoder.advance(chunks).map((logits, i) => row(logits, chunks[i].legal));
  };
  return {
    config,
    pass: (tree, rows) => passOf(decoder, tree, rows, row),
    cache: (capacity) => decoder.cache(capacity),
    advance,
    step: () => {
      throw unable();
    },
    zeroGradients() {},
    parameters: () => [] as NamedTensor[],
    loadParameters() {},
    saveOptimizer: () => [],
    loadOptimizer() {},
    saveAdapter: () => new Map(),
    loadAdapter() {},
    get memoryBytes() {
      return decoder.memoryBytes;
    },
  };
}

/** Node by node along a cache that is cut back where the tree branches. */
function passOf(
  decoder: Decoder,
  { ids, parents }: TokenTree,
  rows: readonly HeadRow[],
  row: (logits: Float32Array, legal: Int32Array | "all") => Float64Array,
): TreePass {
  const depths = new Int32Array(ids.length);
  parents.forEach((parent, node) => depths[node] = parent < 0 ? 0 : depths[parent] + 1);
  const children = Array.from(ids, (): number[] => []);
  parents.forEach((parent, node) => parent >= 0 && children[parent].push(node));
  const rowsAt = new Map(rows.map((one, r) => [one.node, r]));
  const out: Float64Array[] = new Array(rows.length);
  const cache = decoder.cache(Math.max(...depths) + 1);
  const visit = (first: number): void => {
    const run = [first];
    let node = first;
    while (!rowsAt.has(node) && children[node].length === 1) run.push(node = children[node][0]);
    cache.truncate(depths[first]);
    const [logits] = decoder.advance([{ cache, ids: run.map((one) => ids[one]) }]);
    const r = rowsAt.get(node);
    if (r !== undefined) {
      const { legal, picked } = rows[r];
      const all = row(logits, legal);
      out[r] = picked ? Float64Array.from(picked, (id) => all[id]) : all;
    }
    for (const child of children[node]) visit(child);
  };
  parents.forEach((parent, node) => parent < 0 && visit(node));
  cache.dispose();
  return {
    logProbabilities: out,
    backward() {
      throw new Error("A language model cannot be trained yet");
    },
    release() {},
  };
}
