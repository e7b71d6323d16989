/** An environment in a language model's tokens: the trie of the canonical tokens of its objects. */
import { digestOf } from "../../base/digest.ts";
import { inputError } from "../../base/diagnostic.ts";
import { logAddExp } from "../../numerics/math/mod.ts";
import {
  calledOf,
  type Environment,
  type Prompt,
  stateAfter,
  type TerminalObject,
} from "./environment.ts";
import { maskOfRow } from "./legal_actions.ts";
import { TokenTrie, type TriePlace, trieRoot } from "./token_trie.ts";

/** Tokens of a model, as far as an environment needs to know them. */
export interface TokenSource {
  /** Digest of the tokenizer: equal ones give equal ids. */
  readonly digest: string;
  /** Ids that the model knows. */
  readonly vocabulary: number;
  /** Most tokens that the model reads at once, the one that begins a text included. */
  readonly context: number;
  /** The token that ends an object. */
  readonly end: number;
  /** The canonical tokens of a text. @throws InputError if they do not decode to it. */
  encode(text: string): readonly number[];
  /** Spelling of a token. */
  spell(id: number): string;
}

/** The plain JSON of an environment in tokens, beside that of the environment it was made of. */
export interface TokenSpec {
  /** Kind and spec of the environment whose objects these are. */
  readonly of: { readonly kind: string; readonly spec: unknown };
  /** Legal tokens: those that continue a listed object. */
  readonly mask: "trie";
  /** Digest of the tokenizer. */
  readonly tokenizer: string;
  /** Number of tokens; ids are below it. */
  readonly vocabulary: number;
  /** Id of the token that ends a text. */
  readonly end: number;
  /** Spellings of the tokens that occur, by id. */
  readonly spelling: Readonly<Record<string, string>>;
  /**
   * Tokens of each object in the order of enumeration, without the end: how many it shares with the
   * one before, then its own.
   */
  readonly objects: readonly (readonly number[])[];
}

/** A place in the trie, and the prompt. */
export interface TokenPlace extends TriePlace {
  /** Left out where nothing is asked. */
  readonly prompt?: Prompt;
}

/** The kind of such environments. */
export const tokensKind = "tokens";

/** Most objects of an environment that are listed, by default. */
const mostListed = 250_000;

/**
 * Lifts an environment that can be enumerated to tokens: its objects are the same, its actions the
 * tokens of a model, and those are legal that continue the canonical tokens of some object. The exit
 * is the token that ends a text.
 *
 * @throws InputError if there are too many objects, if two have the same tokens, if one is longer
 * than the model's context, has ids beyond its vocabulary, or tokens that do not decode to it.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "./built_in_environments.ts";
 * import { tokensOf } from "./tokens.ts";
 * // Letters as tokens.
 * const source = {
 *   digest: "letters", vocabulary: 256, context: 64, end: 0,
 *   encode: (text: string) => [...text].map((letter) => letter.charCodeAt(0)),
 *   spell: (id: number) => String.fromCharCode(id),
 * };
 * const numbers = environmentNamed("numbers", { max: 19, base: 10 });
 * const lifted = tokensOf(numbers, source);
 * assert.equal(lifted.actionNames.length, 256);
 * const texts = [...lifted.enumerate()].map(({ text }) => text);
 * assert.deepEqual(texts, [...numbers.enumerate()].map(({ text }) => text));
 * ```
 */
export function tokensOf(
  base: Environment,
  source: TokenSource,
  limit: number = mostListed,
): Environment<TokenPlace> {
  const ids = listed(base, limit).map(({ text }) => checkedTokens(text, source));
  checkDistinct(base, ids);
  const used = new Set(ids.flat());
  return tokensEnvironment(base, {
    of: { kind: base.kind, spec: base.spec },
    mask: "trie",
    tokenizer: source.digest,
    vocabulary: source.vocabulary,
    end: source.end,
    spelling: Object.fromEntries([...used].map((id) => [id, source.spell(id)])),
    objects: ids.map((own, i) => shared(ids[i - 1] ?? [], own)),
  });
}

/**
 * The environment of a spec, given the one that it was made of.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "./built_in_environments.ts";
 * import { tokensEnvironment } from "./tokens.ts";
 * const bits = environmentNamed("numbers", { max: 1, base: 2 });
 * const { kind, spec } = bits;
 * const environment = tokensEnvironment(bits, {
 *   of: { kind, spec }, mask: "trie", tokenizer: "two letters", vocabulary: 3, end: 2,
 *   spelling: { 0: "0", 1: "1" },
 *   objects: [[0, 0], [0, 1]], // no token shared with the text before, then the text's own
 * });
 * assert.deepEqual([...environment.enumerate()].map(({ actions }) => actions), [[0, 2], [1, 2]]);
 * ```
 */
export function tokensEnvironment(base: Environment, spec: TokenSpec): Environment<TokenPlace> {
  const { vocabulary, end, spelling } = spec;
  const objects = [...base.enumerate()];
  const sequences = unshared(spec.objects).map((ids) => [...ids, end]);
  if (objects.length !== sequences.length) throw new Error("internal: tokens of other objects");
  const trie = new TokenTrie(sequences);
  const logMass = massOf(trie, objects);
  const terminals = objects.map((object, i): TerminalObject => ({
    ...object,
    actions: sequences[i],
  }));
  const byText = new Map(objects.map(({ text }, i) => [text, i]));
  const logPriorOf = (place: TriePlace, id: number) => {
    const next = trie.segmentOf(place, id);
    return next === place.segment ? 0 : logMass[next] - logMass[place.segment];
  };
  const endOf = (place: TriePlace): number => {
    const isOver = trie.next(place).includes(end);
    const object = isOver ? trie.objects[trie.segmentOf(place, end)] : -1;
    if (object < 0) throw new Error("internal: the exit is not legal here");
    return object;
  };
  const legal = (place: TriePlace) => trie.next(place);
  const rewardOf = (place: TokenPlace) => {
    const object = objects[endOf(place)];
    if (!place.prompt) return object.logReward!;
    return base.logReward!(stateAfter(base, object.actions, place.prompt));
  };
  return {
    kind: tokensKind,
    digest: digestOf({ kind: tokensKind, spec }),
    spec,
    actionNames: namesOf(vocabulary, end, spelling),
    exitAction: end,
    maxActions: sequences.reduce((most, { length }) => Math.max(most, length), 0),
    count: objects.length,
    initialState: (prompt) => prompt ? { ...trieRoot, prompt } : trieRoot,
    legalActions: (place) => maskOfRow(legal(place), vocabulary),
    step(place, id) {
      if (id === end) throw new Error("internal: the exit is no step");
      const next = trie.after(place, id);
      return place.prompt ? { ...next, prompt: place.prompt } : next;
    },
    logPrior(place) {
      const all = new Float64Array(vocabulary).fill(-Infinity);
      for (const id of legal(place)) all[id] = logPriorOf(place, id);
      return all;
    },
    rows: { legal, logPriorOf },
    terminal: (place) => terminals[endOf(place)],
    enumerate: () => terminals,
    written: {
      of: base,
      actionsOf(text) {
        const object = byText.get(text);
        return object === undefined ? undefined : sequences[object];
      },
    },
    ...(base.logReward && { logReward: rewardOf }),
  };
}

function listed(base: Environment, limit: number): TerminalObject[] {
  const objects: TerminalObject[] = [];
  for (const object of base.enumerate()) {
    if (objects.length === limit || (base.count ?? 0) > limit) {
      const count = base.count === undefined ? `more than ${limit}` : `${base.count}`;
      const hint = "make it smaller, or raise enumerate_at_most";
      throw cannotLift(base, `it has ${count} objects, and all are listed`, hint);
    }
    objects.push(object);
  }
  if (objects.length > 0) return objects;
  throw cannotLift(base, "it has no objects", "give it one at least");
}

/** The tokens of an object, which the model can read. */
function checkedTokens(text: string, source: TokenSource): readonly number[] {
  const { vocabulary, context, end } = source;
  const ids = source.encode(text);
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
  const beyond = ids.find((id) => !(Number.isInteger(id) && id >= 0 && id < vocabulary));
  if (beyond !== undefined) {
    const problem = `${shown} has the token ${beyond}, and the model knows ${vocabulary}`;
    throw refused(problem, "use the tokenizer that came with the model");
  }
  if (ids.includes(end)) {
    const problem = `${shown} contains ${JSON.stringify(source.spell(end))}, which ends objects`;
    throw refused(problem, "leave it out of the text");
  }
  if (ids.length + 2 <= context) return ids;
  const problem = `${shown} has ${ids.length} tokens; with those that begin and end it that is ` +
    `more than the ${context} of the context`;
  throw refused(problem, "shorten what the objects write, or choose a model with a longer context");
}

function refused(problem: string, hint: string) {
  return inputError(
    "tokens/object",
    `Cannot write an object in tokens: ${problem}`,
    undefined,
    hint,
  );
}

function cannotLift(base: Environment, problem: string, hint: string) {
  const message = `Cannot lift the ${calledOf(base)} to tokens: ${problem}`;
  return inputError("tokens/environment", message, undefined, hint);
}

function checkDistinct(base: Environment, all: readonly (readonly number[])[]): void {
  const seen = new Map<string, number>();
  all.forEach((ids, i) => {
    const key = ids.join();
    const first = seen.get(key);
    seen.set(key, i);
    if (first === undefined) return;
    const problem = `objects ${first + 1} and ${i + 1} have the same ${ids.length} tokens`;
    const hint = "objects are told apart by their text: let each write another one";
    throw cannotLift(base, problem, hint);
  });
}

/** Number of common first tokens of two lists, then the rest of the second. */
function shared(before: readonly number[], own: readonly number[]): number[] {
  let count = 0;
  while (count < before.length && before[count] === own[count]) count++;
  return [count, ...own.slice(count)];
}

function unshared(objects: readonly (readonly number[])[]): number[][] {
  let before: number[] = [];
  return objects.map(([count, ...own]) => before = [...before.slice(0, count), ...own]);
}

/** `[segments]`: log of the prior mass of the objects that pass each. */
function massOf({ objects, parents, segments }: TokenTrie, all: readonly TerminalObject[]) {
  const mass = new Float64Array(segments).fill(-Infinity);
  for (let i = segments - 1; i >= 0; i--) {
    if (objects[i] >= 0) mass[i] = all[objects[i]].logPrior;
    if (i > 0) mass[parents[i]] = logAddExp(mass[parents[i]], mass[i]);
  }
  return mass;
}

function namesOf(vocabulary: number, end: number, spelling: Readonly<Record<string, string>>) {
  return Array.from({ length: vocabulary }, (_, id) => {
    return id === end ? "end" : spelling[id] ?? `token ${id}`;
  });
}
