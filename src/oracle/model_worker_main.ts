/** The process that reads a model's texts and, for the oracle `policy`, computes with its weights. */
import { findBlas } from "../numerics/blas/mod.ts";
import { logSoftmax } from "../numerics/math/mod.ts";
import { inputError, MissingPartError } from "../base/diagnostic.ts";
import {
  type LanguageModel,
  type ModelEntry,
  ModelStore,
  type ModelTokens,
  openModel,
  openTokens,
} from "../models/store/mod.ts";
import { type ScoredText, textIds } from "../models/text/mod.ts";
import { blasRemedy, type OracleRequest } from "./messages.ts";
import type { OracleAnswer, OracleCall, OracleDraw, OracleProbe } from "./oracle.ts";
import { serve } from "./serve.ts";
import { drawAnswers, scoreAtTemperature } from "./draw_answers.ts";
import { scoreCalls } from "./shared_beginnings.ts";
import { cpuSeconds, sharesOf } from "./shares.ts";

const [root, sha256, backend, heat = "1"] = Deno.args;
const temperature = Number(heat);
const store = new ModelStore(root);

let texts: ModelTokens | undefined;
let model: LanguageModel | undefined;

function withWeights(): LanguageModel {
  return model ??= openModel(store, sha256, backend === "blas" ? { blas: library() } : {});
}

function library() {
  const found = findBlas();
  if ("blas" in found) return found.blas;
  throw new MissingPartError(`Cannot use backend "blas": ${found.problem}`, blasRemedy);
}

function score(calls: readonly OracleCall[]): OracleAnswer[] {
  withWeights(); // opening them is no part of the cost of calls
  const before = cpuSeconds();
  const scored = scoresOf(calls);
  const seconds = sharesOf(calls, cpuSeconds() - before);
  return calls.map(({ ids }, i) => {
    return { ids, log_probs: scored[i], seconds: seconds[i], cost: 0 };
  });
}

function scoresOf(calls: readonly OracleCall[]): number[][] {
  const { decoder } = withWeights();
  return temperature === 1
    ? scoreCalls(decoder.body, calls)
    : scoreAtTemperature(decoder, calls, temperature);
}

function draw(draws: readonly OracleDraw[]): OracleAnswer[] {
  const { decoder } = withWeights();
  const before = cpuSeconds();
  const drawn = drawAnswers(decoder, draws);
  const calls = drawn.map(({ ids }, i) => ({ prompt_ids: draws[i].prompt_ids, ids }));
  const seconds = sharesOf(calls, cpuSeconds() - before);
  return drawn.map((one, i) => ({ ...one, seconds: seconds[i], cost: 0 }));
}

function sequenceOf({ prompt_ids, ids }: OracleCall) {
  return { ids: [...prompt_ids, ...ids], from: prompt_ids.length };
}

/** Holds log probabilities against the full distribution after every token. */
function probe(calls: readonly OracleCall[]): OracleProbe {
  const { decoder } = withWeights();
  const found = { tokens: 0, largest_difference: 0, largest_mass_error: 0 };
  for (const call of calls) {
    const { ids, from } = sequenceOf(call);
    const logits = decoder.logits(ids);
    const [own] = scoresOf([call]);
    own.forEach((logP, k) => {
      const full = logSoftmax(logits[from - 1 + k], temperature)[ids[from + k]];
      found.tokens++;
      found.largest_difference = Math.max(found.largest_difference, Math.abs(full - logP));
    });
  }
  return found;
}

const answers = {
  encode: ({ asked }: OracleRequest & { op: "encode" }) => {
    const { tokenizer, entry } = texts ??= model ?? openTokens(store, sha256);
    return asked.map((text) => {
      const found = textIds(tokenizer, entry, text);
      if (found.ids.length > entry.sizes.context) throw tooLong(text, found.ids.length, entry);
      return found;
    });
  },
  score: ({ asked }: OracleRequest & { op: "score" }) => score(asked),
  draw: ({ asked }: OracleRequest & { op: "draw" }) => draw(asked),
  probe: ({ asked }: OracleRequest & { op: "probe" }) => probe(asked),
  train: () => Promise.reject(new Error("internal: an oracle trains nothing")),
  adapt: () => Promise.reject(new Error("internal: the own decoder loads no adapters")),
  identify: () => {
    throw new Error("internal: a model of the project is known by its digest");
  },
};

function tooLong({ given = "", scored }: ScoredText, found: number, entry: ModelEntry) {
  const text = given + scored;
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
  const message =
    `Cannot ask "${entry.name}" about ${shown}: with what begins and ends it, it has ` +
    `${found} tokens, and the model reads ${entry.sizes.context}`;
  const hint = "shorten what the objects write, or choose a model with a longer context";
  return inputError("model/context", message, undefined, hint);
}

await serve((request) => {
  const answer = answers[request.op] as (request: OracleRequest) => unknown;
  return Promise.resolve(answer(request));
});
