/** The shapes of Tinker's protocol: sequences in, log probabilities out, checked by their number. */
import { inputError } from "../../base/diagnostic.ts";
import { isRecord } from "../../base/record.ts";
import type { TrainedText } from "../../models/training/mod.ts";

/** Log probabilities below are none. */
const least = -1e3;

/** Above 0 by sums in single precision. */
const rounding = 1e-3;

/** Ids as the model reads them. */
export function inputOf(ids: readonly number[]) {
  return { chunks: [{ type: "encoded_text", tokens: ids }] };
}

/** A sequence of which log p of each token but the first is wanted. */
export function scoredDatum(ids: readonly number[]) {
  const ones = ids.slice(1).map(() => 1);
  return datum(ids, { weights: floats(ones) });
}

/**
 * A sequence with the loss Σ −advantage · p / p_then: where p is p_then, its gradient is that of
 * Σ −advantage · log p. `cross_entropy` with negative weights, the alternative, is divided by
 * their sum in SkyRL-tx, and its step is then 10⁹ long.
 */
export function trainedDatum({ ids, logProbs, gradients }: TrainedText, scale: number) {
  const advantages = gradients.map((one) => one === 0 ? 0 : -one * scale);
  return datum(ids, { logprobs: floats(logProbs), advantages: floats(advantages) });
}

function datum(ids: readonly number[], inputs: Readonly<Record<string, unknown>>) {
  const targets = ids.slice(1);
  const target_tokens = { data: targets, dtype: "int64", shape: [targets.length] };
  return { model_input: inputOf(ids.slice(0, -1)), loss_fn_inputs: { target_tokens, ...inputs } };
}

function floats(data: readonly number[]) {
  return { data, dtype: "float32", shape: [data.length] };
}

/**
 * Log probabilities of sequences, as `forward` and `forward_backward` answer.
 *
 * @param texts Of which they are wanted.
 * @throws InputError unless there is a number for each token but the first, each a log probability.
 */
export function outputLogProbs(
  json: Readonly<Record<string, unknown>>,
  texts: readonly (readonly number[])[],
  url: string,
): readonly (readonly number[])[] {
  const outputs = Array.isArray(json.loss_fn_outputs) ? json.loss_fn_outputs : [];
  if (outputs.length !== texts.length) {
    throw refused(url, `it answers for ${outputs.length} of ${texts.length} sequences`);
  }
  return texts.map((ids, i) => {
    const found = isRecord(outputs[i]) ? outputs[i].logprobs : undefined;
    const data = isRecord(found) ? found.data : undefined;
    return logProbs(data, ids.slice(1), url);
  });
}

/** @throws InputError unless each token has a log probability. */
function logProbs(data: unknown, ids: readonly number[], url: string): readonly number[] {
  if (!Array.isArray(data) || data.length !== ids.length) {
    const count = Array.isArray(data) ? data.length : "no";
    throw refused(url, `it gives ${count} log probabilities for ${ids.length} tokens`);
  }
  const at = data.findIndex((one) => typeof one !== "number" || !(one <= rounding && one > least));
  if (at < 0) return data;
  const what = `log p of id ${ids[at]} at place ${at + 2} is ${JSON.stringify(data[at])}`;
  throw refused(url, what);
}

function refused(url: string, what: string) {
  const message = `Cannot train on ${url}: ${what}`;
  const hint = "ids beyond the vocabulary and weights that are NaN answer so: see the server's log";
  return inputError("trainer/log-probs", message, undefined, hint);
}

/** The first written sequence of an answer of `asample`. */
export function writtenOf(json: Readonly<Record<string, unknown>>, url: string) {
  const first = Array.isArray(json.sequences) ? json.sequences[0] : undefined;
  const { tokens, logprobs } = isRecord(first) ? first : {};
  if (!Array.isArray(tokens) || tokens.length === 0) throw refused(url, "it wrote no tokens");
  return { ids: tokens as readonly number[], logProbs: logProbs(logprobs, tokens, url) };
}
