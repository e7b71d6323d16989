/** A model of tokens in plain double precision, to hold policies against: sums of weights along a path. */
import type { NamedTensor } from "../../src/base/safetensors.ts";
import type { KeyValueCache } from "../../src/models/decoder/key_value_cache.ts";
import type { ModelConfig } from "../../src/models/decoder/model_config.ts";
import type {
  HeadRow,
  LegalChunk,
  TokenTree,
  TrainableModel,
  TreePass,
} from "../../src/models/training/token_tree.ts";

/** A cache that remembers the tokens themselves. */
class PathCache {
  path: number[] = [];
  disposed = false;

  constructor(readonly open: Set<PathCache>) {
    open.add(this);
  }

  fork(): PathCache {
    const copy = new PathCache(this.open);
    copy.path = [...this.path];
    return copy;
  }

  dispose(): void {
    this.open.delete(this);
  }
}

/**
 * The logit of token v after a path is the sum over its places t of weight[id, v] / (1 + age), so
 * that order counts. Steps are plain gradient descent.
 */
export class PathModel implements TrainableModel {
  readonly weights: Float64Array;
  readonly gradient: Float64Array;
  /** Caches that were not disposed of. */
  readonly caches = new Set<PathCache>();
  /** Passes that were not released. */
  open = 0;
  /** Tokens that were computed. */
  positions = 0;
  #steps = 0;

  constructor(readonly vocabulary: number, seed = 1) {
    this.weights = Float64Array.from(
      { length: vocabulary * vocabulary },
      (_, i) => Math.sin(seed * 12.9898 + i * 78.233),
    );
    this.gradient = new Float64Array(this.weights.length);
  }

  get config(): ModelConfig {
    return { vocabulary: this.vocabulary, context: 512 } as ModelConfig;
  }

  readonly memoryBytes = 0;

  get size(): number {
    return this.weights.length;
  }

  #path({ ids, parents }: TokenTree, node: number): number[] {
    const path: number[] = [];
    for (let n = node; n >= 0; n = parents[n]) path.unshift(ids[n]);
    return path;
  }

  /** log p of tokens after a path. */
  #logP(path: readonly number[], legal: ArrayLike<number>): Float64Array {
    const logits = Float64Array.from(legal, (v) => {
      return path.reduce((sum, id, t) => {
        return sum + this.weights[id * this.vocabulary + v] / (path.length - t);
      }, 0);
    });
    const logZ = Math.log(logits.reduce((sum, x) => sum + Math.exp(x), 0));
    return logits.map((x) => x - logZ);
  }

  pass(tree: TokenTree, rows: readonly HeadRow[], _options: { readonly grad: boolean }): TreePass {
    this.open++;
    this.positions += tree.ids.length;
    const all = Array.from({ length: this.vocabulary }, (_, v) => v);
    const whole = rows.map(({ node, legal }) => {
      const tokens = legal === "all" ? all : [...legal];
      const path = this.#path(tree, node);
      return { path, tokens, logP: this.#logP(path, tokens) };
    });
    const places = rows.map(({ legal, picked }, r) => {
      return legal === "all" ? [...picked!] : whole[r].tokens.map((_, k) => k);
    });
    return {
      logProbabilities: whole.map(({ logP }, r) => Float64Array.from(places[r], (k) => logP[k])),
      backward: (gradients) => {
        whole.forEach(({ path, tokens, logP }, r) => {
          const total = gradients[r].reduce((sum, g) => sum + g, 0);
          const force = logP.map((x) => -total * Math.exp(x));
          places[r].forEach((k, i) => force[k] += gradients[r][i]);
          path.forEach((id, t) => {
            tokens.forEach((v, k) =>
              this.gradient[id * this.vocabulary + v] += force[k] / (path.length - t)
            );
          });
        });
      },
      release: () => this.open--,
    };
  }

  cache(): KeyValueCache {
    return new PathCache(this.caches) as unknown as KeyValueCache;
  }

  advance(chunks: readonly LegalChunk[]): Float64Array[] {
    return chunks.map(({ cache, ids, legal }) => {
      const known = cache as unknown as PathCache;
      known.path.push(...Array.from(ids));
      this.positions += ids.length;
      const all = Array.from({ length: this.vocabulary }, (_, v) => v);
      return this.#logP(known.path, legal === "all" ? all : legal);
    });
  }

  step({ learningRate }: { readonly learningRate: number }): { readonly gradientNorm: number } {
    const gradientNorm = Math.hypot(...this.gradient);
    this.gradient.forEach((g, i) => this.weights[i] -= learningRate * g);
    this.zeroGradients();
    this.#steps++;
    return { gradientNorm };
  }

  zeroGradients(): void {
    this.gradient.fill(0);
  }

  parameters(): NamedTensor[] {
    return [{ name: "weights", shape: [this.weights.length], values: this.weights.slice() }];
  }

  loadParameters([{ values }]: readonly NamedTensor[]): void {
    this.weights.set(values);
  }

  saveOptimizer(): NamedTensor[] {
    return [{ name: "steps", shape: [1], values: Int32Array.of(this.#steps) }];
  }

  loadOptimizer([{ values }]: readonly NamedTensor[]): void {
    this.#steps = values[0];
  }

  saveAdapter(): ReadonlyMap<string, Uint8Array> {
    return new Map();
  }

  loadAdapter(): void {}

  saveMerged(): ReadonlyMap<string, Uint8Array> {
    return new Map();
  }
}
