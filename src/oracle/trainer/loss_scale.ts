/** Finds the scale of a server's gradients by steps of plain descent, whose gain is in proportion to the gradient. */
import { InputError, inputError } from "../../base/diagnostic.ts";
import type { AdamStep, TrainedText } from "../../models/training/mod.ts";

/** Divisor of a loss, as far as gradients of sums over tokens are concerned. */
export type Division = "1" | "length" | "sequences" | "length, sequences" | "tokens";

/** Scaling of losses and gradients by a server. */
export interface LossManner {
  readonly division: Division;
  /** Whether it makes gradients shorter that are longer than they may be. */
  readonly clips: boolean;
}

/** A model that may be spoilt. */
interface SpoiltModel {
  /** log p of each token but the first. */
  forward(ids: readonly number[]): Promise<readonly number[]>;
  /** One step along the gradient of these, as the server scales it. */
  train(texts: readonly TrainedText[], adam: AdamStep): Promise<void>;
}

/** Epsilon at which Adam without memory is descent: its steps are `learning_rate / eps` times the gradient. */
const eps = 1e6;

/** A norm far below that of any text's gradient. */
const shortest = 1e-6;

/** A gain within this range is well above rounding, and small enough to be in proportion. */
const [smallest, largest] = [0.01, 0.15];

/** Times that the length of a step is chosen again. */
const mostTrials = 20;

/** Largest factor between a ratio and a known one. */
const tolerance = 1.25;

/**
 * One step along its own gradient raises Σ log p of a short text in proportion to the server's scale of
 * the gradient. Tokens without weight beside it, and texts without weight, show the divisor.
 *
 * Tinker's own documentation says that losses are sums; SkyRL-tx divides each sequence by its weights
 * and all by their number.
 *
 * With a tiny bound on the gradient's norm the text gains nothing where the server obeys it:
 * the protocol has such a field, and SkyRL-tx ignores it.
 *
 * @param ids A text of some tokens.
 * @throws InputError if the gains are those of no division that is known, or the text gains nothing.
 */
export async function lossManner(
  model: SpoiltModel,
  ids: readonly number[],
): Promise<LossManner> {
  const rate = await rateOf(model, ids);
  const gain = async (padding: number, others: number) => {
    const zeros = (count: number) => new Array<number>(count).fill(0);
    const long = [...ids, ...repeated(ids, padding)];
    const text = await weighted(model, long, ids.length - 1);
    const other = [...ids.slice(0, 1), ...repeated(ids, others)];
    const beside = others === 0 ? [] : [{
      ids: other,
      logProbs: [...await model.forward(other)],
      gradients: zeros(others),
    }];
    return await gainOf(model, ids, [text, ...beside], rate);
  };
  const targets = ids.length - 1;
  const alone = await gain(0, 0);
  const padded = nearest(await gain(targets, 0) / alone, [1, 1 / 2]);
  const beside = nearest(await gain(0, 3 * targets) / alone, [1, 1 / 2, 1 / 4]);
  const found = known.find((one) => one.padded === padded && one.beside === beside);
  if (found) {
    const { division } = found;
    return { division, clips: await doesClip(model, ids, rate, alone) };
  }
  const message = "Cannot train on a server: its loss is neither a sum nor a mean that is known " +
    `(${padded} with tokens of no weight, ${beside} with texts of none)`;
  const hint = "the scale of gradients would be unknown: see how the server divides losses";
  throw inputError("trainer/loss", message, undefined, hint);
}

/** A server that knows no such field may refuse it. */
async function doesClip(
  model: SpoiltModel,
  ids: readonly number[],
  rate: number,
  alone: number,
): Promise<boolean> {
  const text = await weighted(model, ids, ids.length - 1);
  try {
    return await gainOf(model, ids, [text], rate, shortest) < alone / 10;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

/** Factor of a text's gradients, so that the server's is that of the sum. */
export function scaleOf(
  division: Division,
  text: TrainedText,
  all: readonly TrainedText[],
): number {
  const length = text.gradients.length;
  if (division === "length") return length;
  if (division === "sequences") return all.length;
  if (division === "length, sequences") return length * all.length;
  if (division === "tokens") return all.reduce((sum, { gradients }) => sum + gradients.length, 0);
  return 1;
}

const known: readonly { padded: number; beside: number; division: Division }[] = [
  { padded: 1, beside: 1, division: "1" },
  { padded: 1 / 2, beside: 1, division: "length" },
  { padded: 1, beside: 1 / 2, division: "sequences" },
  { padded: 1 / 2, beside: 1 / 2, division: "length, sequences" },
  { padded: 1 / 2, beside: 1 / 4, division: "tokens" },
];

/** NaN where none is near. */
function nearest(ratio: number, values: readonly number[]): number {
  return values.find((one) => ratio < one * tolerance && ratio > one / tolerance) ?? NaN;
}

/** Finds a rate whose step has a gain above rounding, and small enough to be in proportion. */
async function rateOf(model: SpoiltModel, ids: readonly number[]): Promise<number> {
  let rate = 1e-6;
  for (let trial = 0; trial < mostTrials; trial++) {
    const gain = await gainOf(model, ids, [await weighted(model, ids, ids.length - 1)], rate);
    if (gain >= smallest && gain <= largest) return rate;
    rate *= gain > 1e-3 ? Math.min(10, 0.05 / gain) : 10;
  }
  const message = "Cannot train on a server: steps along the gradient of a text do not raise it";
  const hint = "its losses may be ignored, or of the other sign: see the server's log";
  throw inputError("trainer/loss", message, undefined, hint);
}

/** The text with a loss of −Σ log p of its first tokens. */
async function weighted(
  model: SpoiltModel,
  ids: readonly number[],
  count: number,
): Promise<TrainedText> {
  const logProbs = await model.forward(ids);
  return { ids, logProbs, gradients: logProbs.map((_, i) => i < count ? -1 : 0) };
}

/** Rise of Σ log p of `ids` by one step. */
async function gainOf(
  model: SpoiltModel,
  ids: readonly number[],
  texts: readonly TrainedText[],
  rate: number,
  grad_clip_norm?: number,
): Promise<number> {
  const clip = grad_clip_norm !== undefined && { grad_clip_norm };
  const adam = { learning_rate: rate * eps, beta1: 0, beta2: 0, eps, weight_decay: 0, ...clip };
  const before = sum(await model.forward(ids));
  await model.train(texts, adam);
  const after = sum(await model.forward(ids));
  return after - before;
}

function repeated(ids: readonly number[], count: number): number[] {
  const rest = ids.slice(1);
  return Array.from({ length: count }, (_, i) => rest[i % rest.length]);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
