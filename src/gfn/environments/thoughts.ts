/** Thought before an object: tokens that are written first, and are not rewarded. */
import { digestOf } from "../../base/digest.ts";
import { log } from "../../numerics/math/mod.ts";
import type { Actions, Environment, Prompt, TerminalObject, ThoughtPart } from "./environment.ts";
import { legalCount, legalIn, maskOfRow, placeIn } from "./legal_actions.ts";

/** The plain JSON of thought, among that of the environment in tokens that it stands before. */
export interface ThinkingSpec {
  /** Tokens that begin a thought. */
  readonly open: readonly number[];
  /** Tokens that end it, at least one. */
  readonly close: readonly number[];
  /** Tokens that it may have, in rising order, none of them in `close`; left out: any. */
  readonly among?: readonly number[];
  /** Most tokens of a thought, between `open` and `close`; then it is closed. */
  readonly most: number;
}

/** Tokens so far; where the thought is over, the state of the object behind it. */
export interface ThoughtState<S = unknown> {
  /** Tokens of the thought, `open` and `close` included. */
  readonly ids: readonly number[];
  /** State of the object, once the thought is closed. */
  readonly object?: S;
  /** Left out where nothing is asked. */
  readonly prompt?: Prompt;
}

/** Beginning of the text of a thought without an end. */
export const unclosedText = "# a thought that never closed, after ";

/**
 * An environment in tokens whose objects are written behind a thought: `open`, at most `most` tokens,
 * `close`, then the object. Objects, priors and rewards are those of the environment; a thought is a
 * latent variable, whose log P_B is that of uniform choice unless training has a better one. A thought
 * of `most` tokens is closed. The token that ends texts is legal in a thought only where any token may
 * begin a text: a text that ends there is no object but a comment that says so.
 *
 * @param base Of kind `tokens`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "./built_in_environments.ts";
 * import { thoughtful } from "./thoughts.ts";
 * import { tokensOf } from "./tokens.ts";
 * const source = {
 *   digest: "letters", vocabulary: 256, context: 64, end: 0,
 *   encode: (text: string) => [...text].map((letter) => letter.charCodeAt(0)),
 *   spell: (id: number) => String.fromCharCode(id),
 * };
 * const [open, close, a, b] = [..."<>ab"].map((letter) => letter.charCodeAt(0));
 * const numbers = tokensOf(environmentNamed("numbers", { max: 9, base: 10 }), source);
 * const thinking = { open: [open], close: [close], among: [a, b], most: 2 };
 * const environment = thoughtful(numbers, thinking);
 * assert.equal(environment.thoughts.list(100)!.length, 1 + 2 + 4);
 * const actions = [open, b, a, close, "7".charCodeAt(0), 0];
 * assert.equal(environment.thoughts.length(actions), 4);
 * ```
 */
export function thoughtful<S>(
  base: Environment<S>,
  thinking: ThinkingSpec,
): Environment<ThoughtState<S>> & { readonly thoughts: ThoughtPart } {
  const { open, close, among, most } = thinking;
  const vocabulary = base.actionNames.length;
  const end = base.exitAction;
  const spec = { ...base.spec as Record<string, unknown>, thinking };
  const any = anyToken(base, end);
  const inThought = among && Int32Array.from([...among, close[0]]).sort();
  const legalThought = (ids: readonly number[]) => {
    if (ids.length < open.length) return Int32Array.of(open[ids.length]);
    const matched = matchedOf(ids.slice(open.length), close);
    const isForced = ids.length - open.length >= most || (among && matched > 0);
    if (isForced) return Int32Array.of(close[matched]);
    return inThought ?? any;
  };
  const isClosed = (ids: readonly number[]) =>
    ids.length >= open.length + close.length &&
    close.every((id, i) => ids[ids.length - close.length + i] === id);
  const legal = ({ ids, object }: ThoughtState<S>) =>
    object === undefined ? legalThought(ids) : legalIn(base, object);
  const logPriorOf = (state: ThoughtState<S>, id: number) =>
    state.object === undefined
      ? 0 - log(legalCount(legal(state), vocabulary))
      : base.rows!.logPriorOf(state.object, id);
  const start = (prompt?: Prompt) => prompt ? base.initialState(prompt) : base.initialState();
  const lengthOf = (actions: Actions) => {
    for (let n = open.length + close.length; n < actions.length; n++) {
      if (isClosed(actions.slice(0, n))) return n;
    }
    return 0;
  };
  const unclosed = (ids: readonly number[]): TerminalObject => ({
    text: `${unclosedText}${ids.length} tokens: ${ids.join(" ")}\n`,
    logPrior: [...ids, end].reduce((sum, id, t) => {
      return sum + logPriorOf({ ids: ids.slice(0, t) }, id);
    }, 0),
    actions: [...ids, end],
    features: [],
  });
  const unthought = [...open, ...close];
  return {
    kind: base.kind,
    digest: digestOf({ kind: base.kind, spec }),
    spec,
    actionNames: base.actionNames,
    exitAction: end,
    maxActions: open.length + most + close.length + base.maxActions,
    ...(base.count !== undefined && { count: base.count }),
    initialState: (prompt) => ({ ids: [], ...(prompt && { prompt }) }),
    legalActions: (state) => maskOfRow(legal(state), vocabulary),
    step(state, id) {
      if (state.object !== undefined) return { ...state, object: base.step(state.object, id) };
      if (id === end || placeIn(legal(state), id) < 0) {
        throw new Error(`internal: token ${id} is illegal`);
      }
      const ids = [...state.ids, id];
      return { ...state, ids, ...(isClosed(ids) && { object: start(state.prompt) }) };
    },
    logPrior(state) {
      if (state.object !== undefined) return base.logPrior(state.object);
      const all = new Float64Array(vocabulary).fill(-Infinity);
      const row = legal(state);
      if (row === "all") return all.fill(logPriorOf(state, 0));
      for (const id of row) all[id] = logPriorOf(state, id);
      return all;
    },
    rows: { legal, logPriorOf },
    terminal({ ids, object }) {
      if (object === undefined) return unclosed(ids);
      const found = base.terminal(object);
      return { ...found, actions: [...ids, ...found.actions] };
    },
    *enumerate() {
      for (const object of base.enumerate()) {
        yield { ...object, actions: [...unthought, ...object.actions] };
      }
    },
    ...(base.logReward && { logReward: ({ object }) => base.logReward!(object!) }),
    ...(base.written && {
      written: {
        of: base.written.of,
        actionsOf(text) {
          const actions = base.written!.actionsOf(text);
          return actions && [...unthought, ...actions];
        },
      },
    }),
    thoughts: { length: lengthOf, list: (limit) => listed(thinking, limit) },
  };
}

/** Any token; all but the end where texts are those of objects, which none of them ends in a thought. */
function anyToken<S>(base: Environment<S>, end: number): Int32Array | "all" {
  const { mask } = base.spec as { readonly mask?: string };
  if (mask === "none" || mask === "language") return "all";
  const others = Int32Array.from({ length: base.actionNames.length - 1 }, (_, i) => i);
  for (let i = end; i < others.length; i++) others[i] = i + 1;
  return others;
}

/** Number of the first tokens of `close` at the end of a thought, short of all. */
function matchedOf(ids: readonly number[], close: readonly number[]): number {
  for (let k = Math.min(ids.length, close.length - 1); k > 0; k--) {
    if (close.slice(0, k).every((id, i) => id === ids[ids.length - k + i])) return k;
  }
  return 0;
}

/** Every thought with its beginning and end; undefined where there are more, or any token may stand. */
function listed(
  { open, close, among, most }: ThinkingSpec,
  limit: number,
): readonly Actions[] | undefined {
  if (!among) return undefined;
  let count = 0;
  for (let n = 0; n <= most; n++) count += among.length ** n;
  if (!(count <= limit)) return undefined;
  const all: number[][] = [[]];
  for (let begin = 0, n = 0; n < most; n++) {
    const longest = all.length;
    for (let i = begin; i < longest; i++) for (const id of among) all.push([...all[i], id]);
    begin = longest;
  }
  return all.map((ids) => [...open, ...ids, ...close]);
}
