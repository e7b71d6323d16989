/**
 * Log probabilities of given tokens by node-llama-cpp 3.22.1. Its filter `includeMax` leaves the largest
 * logit out where it should put it in (`any_of` for `none_of` in its `AddonContext.cpp`), so that log
 * probabilities that are computed by its documentation are wrong. Here the token of greedy
 * choice has the largest, and `includeSelected` gives its logit.
 */
import { inputError } from "../base/diagnostic.ts";
import { log } from "../numerics/math/mod.ts";
import type { OracleAnswer, OracleCall, OracleProbe } from "./oracle.ts";
import { cpuSeconds, sharesOf } from "./shares.ts";

/** Types of the library, as far as they are used. */
export interface LlamaLibrary {
  getLlama(options: Readonly<Record<string, unknown>>): Promise<{
    loadModel(options: Readonly<Record<string, unknown>>): Promise<{
      createContext(options: Readonly<Record<string, unknown>>): Promise<{
        getSequence(): LlamaSequence;
      }>;
    }>;
  }>;
}

/** A sequence of tokens with its cache of keys and values. */
export interface LlamaSequence {
  clearHistory(): Promise<void>;
  controlledEvaluate(input: readonly ControlledToken[]): Promise<readonly (Output | undefined)[]>;
}

type ControlledToken = number | readonly [number, { readonly generateNext: unknown }];

interface Output {
  readonly next: {
    readonly token: number;
    readonly logits?: ReadonlyMap<number, number>;
    readonly totalLogitWeight?: number;
    readonly probabilities?: ReadonlyMap<number, number>;
  };
}

/** Options with which a model is opened. */
interface LlamaOptions {
  readonly path: string;
  readonly threads: number;
  /** Tokens of the longest sequence. */
  readonly context: number;
}

/** Scores calls one after the other, each from an empty cache, so that an answer never depends on another. */
export class LlamaScorer {
  readonly #sequence: LlamaSequence;
  readonly #context: number;

  /** @param context Tokens of the longest sequence; of a longer one the library would drop the first. */
  constructor(sequence: LlamaSequence, context: number) {
    [this.#sequence, this.#context] = [sequence, context];
  }

  /** Opens a GGUF file. Nothing is built or loaded from the network. */
  static async open(
    library: LlamaLibrary,
    { path, threads, context: contextSize }: LlamaOptions,
  ): Promise<LlamaScorer> {
    const quiet = { logLevel: "error", progressLogs: false };
    const own = { gpu: false, build: "never", skipDownload: true, maxThreads: threads };
    const llama = await library.getLlama({ ...quiet, ...own });
    const model = await llama.loadModel({ modelPath: path });
    const sizes = { contextSize, batchSize: Math.min(512, contextSize) };
    const context = await model.createContext({ ...sizes, threads, sequences: 1 });
    return new LlamaScorer(context.getSequence(), contextSize);
  }

  async score(calls: readonly OracleCall[]): Promise<OracleAnswer[]> {
    const before = cpuSeconds();
    const scored: number[][] = [];
    for (const call of calls) scored.push(await this.#one(call));
    const seconds = sharesOf(calls, cpuSeconds() - before);
    return calls.map(({ ids }, i) => {
      return { ids, log_probs: scored[i], seconds: seconds[i], cost: 0 };
    });
  }

  /** Holds the sums of the filter against the full distribution, which it need not agree with. */
  async probe(calls: readonly OracleCall[]): Promise<OracleProbe> {
    const found = { tokens: 0, largest_difference: 0, largest_mass_error: 0 };
    for (const call of calls) {
      const own = await this.#one(call);
      const full = await this.#evaluate(
        call,
        () => ({ token: true, probabilities: true, options }),
      );
      own.forEach((logP, k) => {
        const all = full[k].next.probabilities!;
        const mass = all.values().reduce((sum, one) => sum + one, 0);
        const difference = Math.abs(log(all.get(call.ids[k]) ?? 0) - logP);
        found.tokens++;
        found.largest_difference = Math.max(found.largest_difference, difference);
        found.largest_mass_error = Math.max(found.largest_mass_error, Math.abs(mass - 1));
      });
    }
    return found;
  }

  async #one(call: OracleCall): Promise<number[]> {
    const outputs = await this.#evaluate(call, (id) => {
      const logits = { filter: { tokens: [id], includeSelected: true } };
      return { token: true, logits, totalLogitWeight: true, options };
    });
    return outputs.map(({ next: { token, logits, totalLogitWeight } }, k) => {
      return logits!.get(call.ids[k])! - logits!.get(token)! - log(totalLogitWeight!);
    });
  }

  /** Outputs after the last token that is given and after each that is scored but the last. */
  async #evaluate(
    { prompt_ids, ids }: OracleCall,
    generateNext: (id: number) => unknown,
  ): Promise<readonly Output[]> {
    const all = [...prompt_ids, ...ids];
    if (all.length > this.#context) throw tooLong(all.length, this.#context);
    await this.#sequence.clearHistory();
    const first = prompt_ids.length - 1;
    const input = all.slice(0, -1).map((id, i): ControlledToken => {
      return i < first ? id : [id, { generateNext: generateNext(all[i + 1]) }];
    });
    const outputs = await this.#sequence.controlledEvaluate(input);
    return outputs.slice(first) as readonly Output[];
  }
}

function tooLong(found: number, most: number) {
  const message = `Cannot score a sequence of ${found} tokens: the oracle's context is of ${most}`;
  const hint = `set context = ${powerOfTwo(found)} in the stage of the oracle`;
  return inputError("model/context", message, undefined, hint);
}

/** Greedy choice: the token with the largest logit. */
const options = { temperature: 0 };

/** The least power of two that is not below a number. */
function powerOfTwo(least: number): number {
  let power = 1;
  while (power < least) power *= 2;
  return power;
}
