/** Answers that a model of this machine draws, token by token, and log p at a temperature. */
import { RandomStream } from "../base/random.ts";
import { exp, logSoftmax } from "../numerics/math/mod.ts";
import type { LanguageModel } from "../models/store/mod.ts";
import type { OracleCall, OracleDraw } from "./oracle.ts";

type Decoder = Pick<LanguageModel["decoder"], "advance" | "cache" | "logits">;

/** Sequences that are drawn side by side. */
const atOnce = 16;

/** A drawn answer: ids, the end among them unless it was cut off, and log p of each at temperature 1. */
interface Drawn {
  readonly ids: readonly number[];
  readonly log_probs: readonly number[];
}

/** log p_T of the scored tokens of each call, p_T ∝ p^(1 / T) at every token. */
export function scoreAtTemperature(
  decoder: Decoder,
  calls: readonly OracleCall[],
  temperature: number,
): number[][] {
  return calls.map(({ prompt_ids, ids }) => {
    const logits = decoder.logits([...prompt_ids, ...ids].slice(0, -1));
    return ids.map((id, k) => logSoftmax(logits[prompt_ids.length - 1 + k], temperature)[id]);
  });
}

/** Draws answers by the temperature that each draw names. */
export function drawAnswers(decoder: Decoder, draws: readonly OracleDraw[]): Drawn[] {
  const found: Drawn[] = [];
  for (let begin = 0; begin < draws.length; begin += atOnce) {
    found.push(...drawSome(decoder, draws.slice(begin, begin + atOnce)));
  }
  return found;
}

function drawSome(decoder: Decoder, draws: readonly OracleDraw[]): Drawn[] {
  const walks = draws.map((draw) => ({
    draw,
    cache: decoder.cache(draw.prompt_ids.length + draw.most_tokens),
    random: new RandomStream("answer", draw.seed),
    next: draw.prompt_ids as readonly number[],
    ids: [] as number[],
    logProbs: [] as number[],
    isOpen: true,
  }));
  try {
    for (;;) {
      const open = walks.filter(({ isOpen }) => isOpen);
      if (open.length === 0) {
        return walks.map(({ ids, logProbs }) => ({ ids, log_probs: logProbs }));
      }
      const logits = decoder.advance(open.map(({ cache, next }) => ({ cache, ids: next })));
      open.forEach((walk, i) => {
        const { draw: { temperature, end, most_tokens: most }, random } = walk;
        const logP = logSoftmax(logits[i], 1);
        const drawnFrom = temperature === 1 ? logP : logSoftmax(logP, temperature);
        const id = placeOf(drawnFrom, random.uniform());
        walk.ids.push(id);
        walk.logProbs.push(logP[id]);
        walk.next = [id];
        walk.isOpen = id !== end && walk.ids.length < most;
      });
    }
  } finally {
    for (const { cache } of walks) cache.dispose();
  }
}

/** The first token up to which so much of the probability lies. */
function placeOf(logP: Float64Array, share: number): number {
  let sum = 0;
  for (let i = 0; i < logP.length; i++) {
    sum += exp(logP[i]);
    if (sum > share) return i;
  }
  return logP.reduce((best, one, i) => one > logP[best] ? i : best, 0);
}
