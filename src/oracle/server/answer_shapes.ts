/** The shapes in which servers give log probabilities, read by ids and never by texts or by places alone. */
import { inputError } from "../../base/diagnostic.ts";
import { isRecord } from "../../base/record.ts";

/** Log probabilities of tokens, by their ids. */
interface ScoredIds {
  readonly ids: readonly number[];
  /** nats; null where nothing came before the token. */
  readonly logProbs: readonly (number | null)[];
}

/** Log probabilities above 0 by sums in single precision over a vocabulary. */
const rounding = 1e-3;

/** Servers write −9999 for −∞. */
const least = -1e3;

/**
 * Log probabilities of a prompt: vLLM's `prompt_logprobs`, or those of an echo in the classic form with
 * tokens as ids.
 *
 * @param sent The prompt's ids.
 * @returns Undefined where the answer has none, which says nothing about other forms.
 * @throws InputError if it answers for other ids, or with numbers that are no log probabilities.
 */
export function promptScores(json: unknown, sent: readonly number[]): ScoredIds | undefined {
  const choice = choiceOf(json);
  const found = choice && (byPrompt(choice, sent) ?? byEcho(choice, sent));
  return found && checked(found, sent);
}

/** `[null, { "3575": { logprob }, … }, …]`, one for each token of the prompt. */
function byPrompt(choice: Shape, sent: readonly number[]): ScoredIds | undefined {
  const { prompt_logprobs: list, prompt_token_ids: ids = sent } = choice;
  if (!Array.isArray(list)) return undefined;
  const own = ids as readonly number[];
  const logProbs = own.map((id, i) => {
    const row = list[i];
    if (!isRecord(row)) return null;
    const cell = row[`${id}`];
    return isRecord(cell) ? numberOf(cell.logprob) : NaN;
  });
  if (list.length !== own.length) throw unequal(own.length, list.length);
  return { ids: own, logProbs };
}

/** `{ tokens: ["token_id:504", …], token_logprobs: [null, …] }`, the drawn token behind the prompt's. */
function byEcho({ logprobs }: Shape, sent: readonly number[]): ScoredIds | undefined {
  if (!isRecord(logprobs)) return undefined;
  const { tokens, token_logprobs: values } = logprobs;
  if (!Array.isArray(tokens) || !Array.isArray(values)) return undefined;
  if (tokens.length !== values.length) throw unequal(tokens.length, values.length);
  if (tokens.length < sent.length) return undefined;
  const ids = tokens.slice(0, sent.length).map(idOf);
  if (ids.some((id) => id === undefined)) return undefined; // texts: several tokens share some
  const logProbs = values.slice(0, sent.length)
    .map((one) => one === null ? null : numberOf(one));
  return { ids: ids as number[], logProbs };
}

function idOf(token: unknown): number | undefined {
  const found = typeof token === "string" ? /^token_id:(\d+)$/.exec(token) : null;
  return found ? Number(found[1]) : undefined;
}

/**
 * The log probability of one drawn token: llama.cpp's own form, the chat form, or the classic one; by
 * the id of the token alone, among the candidates if it was not drawn.
 *
 * @returns Undefined where the answer does not have it.
 * @throws InputError if it is no log probability.
 */
export function drawnScore(json: unknown, id: number): number | undefined {
  const rows = drawnRows(json);
  const [first] = rows;
  if (!isRecord(first)) return undefined;
  const candidates = Array.isArray(first.top_logprobs) ? first.top_logprobs : [];
  const found = [first, ...candidates].find((one) => isRecord(one) && idIn(one) === id);
  if (!isRecord(found)) return undefined;
  const value = numberOf(found.logprob);
  requireLogProb(value, id);
  return value;
}

/** The candidates behind a prompt, by id. @throws InputError if one has no log probability. */
export function candidateScores(json: unknown): ReadonlyMap<number, number> {
  const [first] = drawnRows(json);
  const list = isRecord(first) && Array.isArray(first.top_logprobs) ? first.top_logprobs : [];
  const rows = list.flatMap((one): (readonly [number, number])[] => {
    const id = isRecord(one) ? idIn(one) : undefined;
    return id === undefined ? [] : [[id, numberOf((one as Shape).logprob)]];
  });
  return new Map(rows);
}

/** Every candidate of each token of a prompt, by id: vLLM's `prompt_logprobs`. */
export function promptCandidates(json: unknown): readonly ReadonlyMap<number, number>[] {
  const list = choiceOf(json)?.prompt_logprobs;
  return (Array.isArray(list) ? list : []).map((row) =>
    new Map(
      Object.entries(isRecord(row) ? row : {}).map(([id, cell]) => [
        Number(id),
        isRecord(cell) ? numberOf(cell.logprob) : NaN,
      ]),
    )
  );
}

/**
 * The ids of a written answer, and whether it ended by itself: llama.cpp's `tokens`, vLLM's `token_ids`,
 * or tokens as ids in the classic form; undefined where there are none.
 */
export function drawnIds(
  json: unknown,
): { readonly ids: readonly number[]; readonly isEnded: boolean } | undefined {
  if (!isRecord(json)) return undefined;
  if (Array.isArray(json.tokens)) {
    return { ids: json.tokens as number[], isEnded: json.stop_type === "eos" };
  }
  const choice = choiceOf(json);
  if (!choice) return undefined;
  const isEnded = choice.finish_reason === "stop";
  if (Array.isArray(choice.token_ids)) return { ids: choice.token_ids as number[], isEnded };
  const tokens = isRecord(choice.logprobs) ? choice.logprobs.tokens : undefined;
  const ids = Array.isArray(tokens) ? tokens.map(idOf) : [undefined];
  return ids.every((id) => id !== undefined) ? { ids, isEnded } : undefined;
}

/**
 * Log probabilities beside a written answer; undefined where there is not one for each of its tokens, in
 * their order: rows are never aligned by guess.
 */
export function drawnLogProbs(
  json: unknown,
  ids: readonly number[],
): readonly number[] | undefined {
  const rows = drawnRows(json);
  const isAligned = rows.length === ids.length &&
    rows.every((row, i) => isRecord(row) && idIn(row) === ids[i]);
  if (!isAligned) return undefined;
  const found = rows.map((row) => numberOf((row as Shape).logprob));
  found.forEach((one, i) => requireLogProb(one, ids[i]));
  return found;
}

function idIn({ id, token }: Shape): number | undefined {
  return typeof id === "number" ? id : idOf(token);
}

function drawnRows(json: unknown): readonly unknown[] {
  if (!isRecord(json)) return [];
  const { completion_probabilities: own } = json;
  if (Array.isArray(own)) return own;
  const logprobs = choiceOf(json)?.logprobs;
  if (!isRecord(logprobs)) return [];
  if (Array.isArray(logprobs.content)) return logprobs.content;
  const { tokens, token_logprobs: values, top_logprobs: tops } = logprobs;
  if (!Array.isArray(tokens) || !Array.isArray(values)) return [];
  return tokens.map((token, i) => {
    const top = Array.isArray(tops) && isRecord(tops[i]) ? tops[i] : {};
    const listed = Object.entries(top).map(([key, logprob]) => ({ token: key, logprob }));
    return { token, logprob: values[i], top_logprobs: listed };
  });
}

type Shape = Readonly<Record<string, unknown>>;

function choiceOf(json: unknown): Shape | undefined {
  if (!isRecord(json) || !Array.isArray(json.choices)) return undefined;
  const [first] = json.choices;
  return isRecord(first) ? first : undefined;
}

/** NaN for values that are no numbers, which are refused later. */
function numberOf(value: unknown): number {
  return typeof value === "number" ? value : NaN;
}

/** @throws InputError unless the ids are those that were sent, each but the first with a number. */
function checked(found: ScoredIds, sent: readonly number[]): ScoredIds {
  const at = sent.findIndex((id, i) => found.ids[i] !== id);
  if (at >= 0 || found.ids.length !== sent.length) {
    const got = found.ids[Math.max(0, at)] ?? "none";
    const what = `it answers for id ${got} at place ${at + 1}, sent was ${sent[Math.max(0, at)]}`;
    throw refused("other-ids", what);
  }
  found.logProbs.forEach((value, i) => {
    if (value !== null) requireLogProb(value, sent[i]);
    else if (i > 0) throw refused("missing", `it gives none for id ${sent[i]} at place ${i + 1}`);
  });
  return found;
}

/** @throws InputError if a number is no log probability. */
export function requireLogProb(value: number, id: number): void {
  if (value <= rounding && value > least) return;
  throw refused(value > rounding ? "above-1" : "not-finite", `log p of id ${id} is ${value}`);
}

function unequal(ids: number, numbers: number) {
  return refused("unequal", `it gives ${numbers} numbers for ${ids} tokens`);
}

function refused(code: string, what: string) {
  const message = `Cannot use the log probabilities of a server: ${what}`;
  const hint = "a reward by other tokens or numbers than the model's is none: ask another server";
  return inputError(`oracle/${code}`, message, undefined, hint);
}
