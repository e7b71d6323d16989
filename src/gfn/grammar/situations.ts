/** Situations of a derivation, on which its future depends: holes to fill and choices remembered. */
import { log } from "../../numerics/math/mod.ts";
import type { CompiledAction, CompiledGrammar, CompiledText } from "./compile.ts";
import { Filling } from "./nested/filling.ts";
import { Rooms } from "./nested/rooms.ts";

/**
 * A class of states with the same future. Many states share one situation, so that masks and
 * log priors are computed once for each.
 */
export interface Situation {
  /** Holes still to be filled, the next one first. */
  readonly agenda: readonly number[];
  /** Clauses whose hole stands open, in their order. */
  readonly open: readonly number[];
  /** The first clause that may still be taken. */
  readonly clause: number;
  /** Weight of the exit action once the agenda is empty. */
  readonly exitWeight: number;
  /** Remembered actions among those chosen, ascending. */
  readonly chosen: readonly number[];
  /** `[actions + 1]`, the exit last: 1 = legal. */
  readonly mask: Uint8Array;
  /** `[actions + 1]`: log of the weight's share among the legal actions. */
  readonly logPrior: Float64Array;
  /** Situations that have been entered from here, by action. */
  readonly next: Map<number, Situation>;
  /** Present where the next hole is nested: its filling, before the first choice of it. */
  readonly filling?: Filling;
}

type Outline = Pick<Situation, "agenda" | "open" | "clause" | "exitWeight" | "chosen">;

/** Instead of an action: the filling of a nested hole. */
const filled = -1;

/** The situations of a grammar, made when they are first entered. */
export class Situations {
  readonly initial: Situation;
  readonly rooms: Rooms;
  readonly #known = new Map<string, Situation>();
  readonly #fillings = new Map<number, Filling>();

  constructor(readonly grammar: CompiledGrammar) {
    this.rooms = new Rooms(grammar);
    const empty = { agenda: [], open: [], clause: 0, exitWeight: grammar.exit, chosen: [] };
    this.initial = this.#intern(this.#expand(empty, grammar.start));
  }

  /** The situation after a production. @throws internal, if it is illegal. */
  after(situation: Situation, action: number): Situation {
    const known = situation.next.get(action);
    if (known) return known;
    if (action === this.grammar.actions.length || situation.mask[action] !== 1) {
      throw new Error(`internal: action ${action} is not legal here`);
    }
    const next = this.#intern(this.#choose(situation, this.grammar.actions[action], action));
    situation.next.set(action, next);
    return next;
  }

  /** The situation when its nested hole has been filled. */
  afterFilling(situation: Situation): Situation {
    const known = situation.next.get(filled);
    if (known) return known;
    const next = this.#intern({ ...situation, agenda: situation.agenda.slice(1) });
    situation.next.set(filled, next);
    return next;
  }

  #choose(from: Situation, action: CompiledAction, number: number): Outline {
    const isRemembered = this.grammar.remembered[number] === 1 && !from.chosen.includes(number);
    const chosen = isRemembered ? [...from.chosen, number].sort((a, b) => a - b) : from.chosen;
    if (from.agenda.length > 0) {
      const rest = { ...from, chosen, agenda: from.agenda.slice(1) };
      return this.#expand(rest, action.text);
    }
    const taken = this.grammar.holes[action.hole].clause;
    const open = from.open.filter((clause) => clause > taken);
    const exitWeight = this.grammar.clauses[taken].exit;
    return this.#expand({ agenda: [], open, clause: taken + 1, exitWeight, chosen }, action.text);
  }

  /** Puts the holes of a text in front of the agenda; those of clauses become open. */
  #expand(from: Outline, text: CompiledText): Outline {
    const clauseOf = (hole: number) => this.grammar.holes[hole].clause;
    const mandatory = text.holes.filter((hole) => clauseOf(hole) < 0);
    const opened = text.holes.map(clauseOf).filter((clause) => clause >= from.clause);
    const open = [...new Set([...from.open, ...opened])].sort((a, b) => a - b);
    return { ...from, open, agenda: [...mandatory, ...from.agenda] };
  }

  #intern({ agenda, open, clause, exitWeight, chosen }: Outline): Situation {
    const key = JSON.stringify([agenda, open, clause, exitWeight, chosen]);
    const known = this.#known.get(key);
    if (known) return known;
    const outline = { agenda, open, clause, exitWeight, chosen };
    const filling = this.#fillingOf(agenda[0]);
    const legal = filling
      ? { mask: filling.mask, logPrior: filling.logPrior, filling }
      : legality(this.grammar, outline);
    const situation = { ...outline, ...legal, next: new Map() };
    this.#known.set(key, situation);
    return situation;
  }

  /** Initial filling of a nested hole; the same object each time. */
  #fillingOf(hole: number | undefined): Filling | undefined {
    if (hole === undefined || !this.rooms.nested[hole].isNested) return undefined;
    const known = this.#fillings.get(hole);
    if (known) return known;
    const filling = Filling.of(this.rooms, hole);
    this.#fillings.set(hole, filling);
    return filling;
  }
}

function legality(grammar: CompiledGrammar, outline: Outline) {
  const exit = grammar.actions.length;
  const isComplete = outline.agenda.length === 0;
  const holes = isComplete
    ? outline.open.map((clause) => grammar.clauses[clause].hole)
    : [outline.agenda[0]];
  const legal = holes.flatMap((hole) => grammar.holes[hole].actions)
    .filter((action) => isLegal(grammar.actions[action], outline.chosen));
  const weights = new Float64Array(exit + 1);
  for (const action of legal) weights[action] = grammar.actions[action].weight;
  if (isComplete) weights[exit] = outline.exitWeight;
  const mask = Uint8Array.from(weights, (weight) => (weight > 0 ? 1 : 0));
  return { mask, logPrior: normalisedLog(weights) };
}

function isLegal(action: CompiledAction, chosen: readonly number[]): boolean {
  const has = (other: number) => chosen.includes(other);
  return action.requires.every(has) && !action.excludes.some(has) &&
    (action.requiresAny.length === 0 || action.requiresAny.some(has));
}

function normalisedLog(weights: Float64Array): Float64Array {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => (weight > 0 ? log(weight / total) : -Infinity));
}
