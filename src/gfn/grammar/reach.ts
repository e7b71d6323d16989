/** Visits every situation of a grammar once: reachable productions, number and length of programs. */
import { inputError } from "../../base/diagnostic.ts";
import { Sizes } from "./nested/sizes.ts";
import type { Situation, Situations } from "./situations.ts";

/** Most situations that are visited: beyond, legality depends on too much of the past. */
const mostSituations = 200_000;

/** A reachable situation, and the shortest path to it. */
export interface Reached {
  readonly situation: Situation;
  readonly actions: readonly number[];
}

/**
 * All reachable situations, nearest first.
 *
 * @throws InputError `grammar/too-large` if there are more than `mostSituations`.
 */
export function reach(situations: Situations): Reached[] {
  const start: Reached = { situation: situations.initial, actions: [] };
  const seen = new Set([start.situation]);
  const queue = [start];
  for (let head = 0; head < queue.length; head++) {
    const { situation, actions } = queue[head];
    for (const { next, chosen } of followers(situations, situation)) {
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push({ situation: next, actions: [...actions, ...chosen] });
    }
    if (queue.length > mostSituations) throw tooLarge();
  }
  return queue;
}

function tooLarge(): Error {
  const message = `Cannot check the grammar: it has more than ${mostSituations} situations`;
  const hint = "let conditions name fewer productions";
  return inputError("grammar/too-large", message, undefined, hint);
}

/** A situation that comes next; no action leads there where a nested hole is filled. */
function followers(situations: Situations, situation: Situation) {
  if (situation.filling) return [{ next: situations.afterFilling(situation), chosen: [] }];
  return legalProductions(situation)
    .map((action) => ({ next: situations.after(situation, action), chosen: [action] }));
}

/** The legal actions other than the exit, ascending; none where a nested hole is filled. */
export function legalProductions(situation: Situation): number[] {
  if (situation.filling) return [];
  const exit = situation.mask.length - 1;
  return Array.from({ length: exit }, (_, action) => action)
    .filter((action) => situation.mask[action] === 1);
}

/** Size of the space: programs, and actions of the longest derivation with its exit. */
interface Measure {
  readonly programs: number;
  readonly longest: number;
}

/** Counts without enumerating; exact while the count is below 2^53, at most the largest double. */
export function measure(situations: Situations): Measure {
  const known = new Map<Situation, Measure>();
  const { rooms } = situations;
  const sizes = new Sizes(rooms);
  const filledMeasure = (situation: Situation): Measure => {
    const place = rooms.entry(situation.agenda[0]);
    const { programs, longest } = measureOf(situations.afterFilling(situation));
    return {
      programs: Math.min(Number.MAX_VALUE, programs * sizes.count(place)),
      longest: longest + rooms.longest(place),
    };
  };
  const measureOf = (situation: Situation): Measure => {
    const before = known.get(situation);
    if (before) return before;
    if (situation.filling) return keep(situation, filledMeasure(situation));
    const exits = situation.mask[situation.mask.length - 1];
    const rest = legalProductions(situation).map((a) => measureOf(situations.after(situation, a)));
    const programs = rest.reduce((sum, { programs }) => sum + programs, exits);
    const longest = rest.reduce((most, { longest }) => Math.max(most, longest + 1), exits);
    return keep(situation, { programs, longest });
  };
  const keep = (situation: Situation, result: Measure): Measure => {
    known.set(situation, result);
    return result;
  };
  return measureOf(situations.initial);
}
