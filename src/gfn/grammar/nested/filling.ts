/** A nested hole while it is filled: legal choices, their prior, and the state after each. */
import { log } from "../../../numerics/math/mod.ts";
import type { NumberRange } from "../spec.ts";
import { type Choice, SortedOperands } from "./operands.ts";
import type { Place, Rooms } from "./rooms.ts";

/** A hole that waits for a production. */
export interface OpenHole {
  /** Tells items apart. */
  readonly kind: "hole";
  /** Which hole it is, and how much room it has. */
  readonly place: Place;
}

/** A number after some halvings. */
export interface OpenNumber {
  /** Tells items apart. */
  readonly kind: "number";
  /** Number of its hole. */
  readonly hole: number;
  /** Halvings so far, 0 to `bits`. */
  readonly halvings: number;
}

/** A production with a normal form, below the operand that is being filled. */
export interface Chain {
  /** Tells items apart. */
  readonly kind: "chain";
  /** Action of the production. */
  readonly action: number;
  /** Hole that the chain fills. */
  readonly place: Place;
  /** Operands, as far as it was extended. */
  readonly count: number;
  /** Operands that are complete. */
  readonly done: number;
  /** Whether it may still be extended: until the first operand begins. */
  readonly isOpen: boolean;
  /** Present where operands change places. */
  readonly sorted?: SortedOperands;
}

/** Entries of the stack of a filling. */
export type Item = OpenHole | OpenNumber | Chain;

/** Legal choices, and those of each chain's operand without its siblings. */
interface Weighed {
  readonly choice: Choice;
  readonly alone: ReadonlyMap<Item, Choice>;
}

/**
 * A prefix of the filling of one nested hole. Choices go depth first in the order of the text. A
 * chain of an associative production begins with all its links, so that the number of operands is
 * known before the first; operands of a commutative one come in the order of the file.
 *
 * Its prior is that of derivations whose chains lean to the left, with the mass of all orders of a
 * commutative chain on the one that is left: so it sums to 1 over normal forms.
 */
export class Filling {
  #weighed: Weighed | undefined;
  #mask: Uint8Array | undefined;
  #logPrior: Float64Array | undefined;

  private constructor(readonly rooms: Rooms, readonly stack: readonly Item[]) {}

  /** Nothing of a nested hole is chosen. */
  static of(rooms: Rooms, hole: number): Filling {
    return new Filling(rooms, [itemAt(rooms, rooms.entry(hole))]);
  }

  /** Whether nothing is left to choose. */
  get isDone(): boolean {
    return this.stack.length === 0;
  }

  /** `[actions + 1]`, the exit last: 1 = legal. */
  get mask(): Uint8Array {
    return this.#mask ??= this.#row(new Uint8Array(this.#size), () => 1);
  }

  /** `[actions + 1]`: log probability of each legal action, −Infinity elsewhere. */
  get logPrior(): Float64Array {
    return this.#logPrior ??= this.#row(new Float64Array(this.#size).fill(-Infinity), log);
  }

  /** The filling after a choice. @throws internal, if it is illegal. */
  after(action: number): Filling {
    const { choice, alone } = this.#choices();
    if (!choice.actions.includes(action)) {
      throw new Error(`internal: action ${action} is not legal here`);
    }
    const top = this.stack.length - 1;
    const below = this.stack.slice(0, top).map((item, i) => {
      if (item.kind !== "chain" || isLink(item, action, i === top - 1)) return item;
      return { ...item, isOpen: false, sorted: item.sorted?.after(action, alone.get(item)!) };
    });
    const last = below.at(-1);
    if (last?.kind === "chain" && isLink(last, action, true)) {
      return new Filling(this.rooms, this.#extended(below, last));
    }
    return new Filling(this.rooms, this.#settled([...below, ...this.#opened(action)]));
  }

  get #size(): number {
    return this.rooms.grammar.actions.length + 1;
  }

  #row<T extends Uint8Array | Float64Array>(row: T, value: (probability: number) => number): T {
    const { actions, probability } = this.#choices().choice;
    actions.forEach((action, i) => row[action] = value(probability[i]));
    return row;
  }

  #choices(): Weighed {
    return this.#weighed ??= this.#weigh();
  }

  #weigh(): Weighed {
    const alone = new Map<Item, Choice>();
    let choice = this.#own(this.stack.at(-1)!);
    for (const item of this.stack.slice(0, -1).reverse()) {
      if (item.kind !== "chain") continue;
      const mayExtend = item.isOpen && this.rooms.isLegal(item.place, item.action, item.count + 1);
      const link = mayExtend ? this.#shareOfLink(item.action, choice) : 0;
      alone.set(item, choice);
      choice = item.sorted?.choice(choice) ?? choice;
      if (link > 0) choice = withLink(choice, item.action, link);
    }
    return { choice, alone };
  }

  /** Choice of the item without the chains around it. */
  #own(item: Item): Choice {
    const { grammar } = this.rooms;
    if (item.kind === "chain") throw new Error("internal: a chain chooses nothing");
    const actions = item.kind === "number"
      ? grammar.holes[item.hole].actions
      : this.rooms.legal(item.place);
    const weights = actions.map((action) => grammar.actions[action].weight);
    const total = weights.reduce((sum, one) => sum + one, 0);
    return { actions, probability: weights.map((one) => one / total) };
  }

  /** The share of one more link among the legal choices at the beginning of a chain. */
  #shareOfLink(action: number, { actions }: Choice): number {
    const weightOf = (one: number) => this.rooms.grammar.actions[one].weight;
    const others = actions.reduce((sum, one) => sum + weightOf(one), 0);
    return weightOf(action) / (weightOf(action) + others);
  }

  #extended(below: readonly Item[], chain: Chain): Item[] {
    const count = chain.count + 1;
    const sorted = chain.sorted && SortedOperands.of(count);
    return [...below.slice(0, -1), ...this.#withOperand({ ...chain, count, sorted })];
  }

  /** Items that replace the top one after a choice, the next to be filled last. */
  #opened(action: number): Item[] {
    const item = this.stack.at(-1)!;
    if (item.kind === "number") return this.#halved(item, action);
    const { place } = item as OpenHole;
    const { normal } = this.rooms.grammar.actions[action];
    if (!normal) {
      return this.rooms.inner(place, action).map((one) => itemAt(this.rooms, one)).reverse();
    }
    const sorted = normal.commutative ? SortedOperands.of(2) : undefined;
    const chain = { kind: "chain", action, place, count: 2, done: 0, sorted } as const;
    return this.#withOperand({ ...chain, isOpen: normal.associative });
  }

  #halved({ hole, halvings }: OpenNumber, action: number): Item[] {
    const { number, actions } = this.rooms.grammar.holes[hole];
    const isLast = halvings + 1 === (number as NumberRange).bits || action === actions[2];
    return isLast ? [] : [{ kind: "number", hole, halvings: halvings + 1 }];
  }

  #withOperand(chain: Chain): Item[] {
    const [place] = this.rooms.inner(chain.place, chain.action, chain.count);
    return [chain, itemAt(this.rooms, place)];
  }

  /** Takes complete operands off, and begins the next ones. */
  #settled(stack: readonly Item[]): Item[] {
    const rest = [...stack];
    for (let top = rest.at(-1); top?.kind === "chain"; top = rest.at(-1)) {
      rest.pop();
      const done = top.done + 1;
      if (done === top.count) continue;
      rest.push(...this.#withOperand({ ...top, done, sorted: top.sorted?.completed() }));
      break;
    }
    return rest;
  }
}

function itemAt({ grammar }: Rooms, place: Place): OpenHole | OpenNumber {
  const isNumber = grammar.holes[place.hole].number !== undefined;
  return isNumber ? { kind: "number", hole: place.hole, halvings: 0 } : { kind: "hole", place };
}

/** Whether a choice adds a link to a chain that nothing was filled in yet. */
function isLink({ isOpen, action: own }: Chain, action: number, isInnermost: boolean): boolean {
  return isOpen && isInnermost && own === action;
}

function withLink({ actions, probability }: Choice, link: number, share: number): Choice {
  const all = actions.map((action, i) => [action, probability[i] * (1 - share)]);
  const sorted = [...all, [link, share]].sort(([a], [b]) => a - b);
  return { actions: sorted.map(([action]) => action), probability: sorted.map(([, p]) => p) };
}
