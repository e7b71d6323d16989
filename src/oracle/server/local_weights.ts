/** Compares a served model with the same weights on this machine, on the text that identifies it. */
import { inputError } from "../../base/diagnostic.ts";
import { ModelStore } from "../../models/store/mod.ts";
import { openBackend } from "../backends.ts";
import { describeOracle } from "../describe.ts";
import type { ServerConfig, ServerIdentity } from "../oracle.ts";

/** Distance of a server's answers from those of the own decoder. */
export interface Distance {
  /** The model of the project. */
  readonly model: string;
  readonly tokens: number;
  /** Nats a token. */
  readonly mean: number;
  readonly largest: number;
  /** CPU seconds of the own decoder, without those that opened the model. */
  readonly seconds: number;
}

/**
 * Scores the text by which a server is known, whose answer is there already.
 *
 * @param weights A model of the project.
 * @param ids Of the text.
 * @throws InputError if the server is further away than its `tolerance`, on average, or reads other
 * tokens; MissingPartError if the model was not added, or has no weights.
 */
export async function distanceFrom(
  weights: string,
  { model, tokenizer, temperature, tolerance }: ServerConfig,
  { trial }: ServerIdentity,
  { ids, root }: { readonly ids: readonly number[]; readonly root: string },
): Promise<Distance> {
  const record = describeOracle(
    { kind: "policy", model: weights, backend: "fused", temperature },
    root,
  );
  if (record.tokens_sha256 !== new ModelStore(root).find(tokenizer).tokenizer.sha256) {
    throw another(model, weights, `it is sent the tokens of "${tokenizer}", which are others`);
  }
  const backend = openBackend(record, root);
  try {
    const call = { prompt_ids: ids.slice(0, 1), ids: ids.slice(1) };
    const [{ log_probs, seconds }] = await backend.score([call]);
    const away = log_probs.map((one, t) => Math.abs(one - trial[t]));
    const mean = away.reduce((sum, one) => sum + one, 0) / away.length;
    const found = {
      model: weights,
      tokens: away.length,
      mean,
      largest: Math.max(...away),
      seconds,
    };
    if (mean <= tolerance) return found;
    const nats = `${mean.toPrecision(2)} nats a token, on average over ${away.length}`;
    throw another(model, weights, `it lies ${nats}, from what they give here`);
  } finally {
    await backend.close();
  }
}

function another(model: string, weights: string, what: string) {
  const message = `Cannot use oracle "${model}" for the weights of "${weights}": ${what}`;
  const hint =
    "serve these weights, or set tolerance to what its precision may cost (bfloat16: 0.1), " +
    "or leave weights out";
  return inputError("oracle/weights", message, undefined, hint);
}
