/** The operands of a chain while they are chosen, and the probability of each choice. */
import { type Bound, type Interval, massBelow, massWithBound } from "./sorted_draws.ts";

/** Legal actions, ascending, and the probability of each. */
export interface Choice {
  /** Numbers of actions, ascending. */
  readonly actions: readonly number[];
  /** One for each action; they sum to 1. */
  readonly probability: readonly number[];
}

/** An operand that is complete: its choices, and for each the mass of its siblings below it. */
interface Operand {
  readonly actions: readonly number[];
  /** `[actions + 1]`: mass of operands that begin like this one and come after it in the order. */
  readonly belowFrom: readonly number[];
  readonly width: number;
}

/** The operand that is being chosen. */
interface Begun extends Interval {
  readonly actions: readonly number[];
  /** Mass below each choice, among those with the same earlier choices. */
  readonly belowEach: readonly number[];
  /** Whether it is the same as the last complete operand so far. */
  readonly isAlike: boolean;
}

const nothing: Begun = { actions: [], belowEach: [], below: 0, width: 1, isAlike: true };

/**
 * Operands of a commutative chain, in the order of the file: none comes before the one that it
 * follows. Actions that stand later in the file are the smaller ones.
 */
export class SortedOperands {
  private constructor(
    readonly count: number,
    readonly done: number,
    private readonly last: Operand | undefined,
    private readonly copies: number,
    private readonly begun: Begun,
  ) {}

  /** `count` operands, none of them chosen. */
  static of(count: number): SortedOperands {
    return new SortedOperands(count, 0, undefined, 0, { ...nothing, isAlike: false });
  }

  /**
   * The legal actions of the operand and their probabilities, given those that it would have alone.
   */
  choice({ actions, probability }: Choice): Choice {
    const parts = this.#parts({ actions, probability });
    const bound = this.#bound();
    const { below, width } = this.begun;
    const whole = this.begun.isAlike ? bound!.below + bound!.width : below + width;
    const left = this.count - this.done;
    const same = this.#sameAction();
    const kept = actions.flatMap((action, i) => {
      if (same !== undefined && action < same) return [];
      if (action !== same) {
        // Still legal where its mass is below the precision of a double.
        const mass = Math.max(massBelow(parts[i], left, whole), Number.MIN_VALUE);
        return [{ action, mass }];
      }
      const rest = this.last!.belowFrom[this.begun.actions.length + 1];
      const inside = { below: parts[i].below, width: rest };
      return [{ action, mass: massWithBound(inside, bound!, left, whole) }];
    });
    const total = kept.reduce((sum, { mass }) => sum + mass, 0);
    return {
      actions: kept.map(({ action }) => action),
      probability: kept.map(({ mass }) => mass / total),
    };
  }

  /** Operands after a choice; `alone` holds the probabilities that the operand would have by itself. */
  after(action: number, alone: Choice): SortedOperands {
    const part = this.#parts(alone)[alone.actions.indexOf(action)];
    const begun = {
      below: part.below,
      width: part.width,
      actions: [...this.begun.actions, action],
      belowEach: [...this.begun.belowEach, part.after],
      isAlike: this.#sameAction() === action,
    };
    return new SortedOperands(this.count, this.done, this.last, this.copies, begun);
  }

  /** When the operand that was begun is complete. */
  completed(): SortedOperands {
    const { actions, belowEach, width, isAlike } = this.begun;
    const done = this.done + 1;
    if (isAlike) return new SortedOperands(this.count, done, this.last, this.copies + 1, nothing);
    const belowFrom = [0];
    for (const one of belowEach.toReversed()) belowFrom.unshift(belowFrom[0] + one);
    return new SortedOperands(this.count, done, { actions, belowFrom, width }, 1, nothing);
  }

  /** The part of the begun interval that each action has; `after` is that of actions after it. */
  #parts({ probability }: Choice): (Interval & { readonly after: number })[] {
    const { below, width } = this.begun;
    let after = 0;
    return probability.map((_, i) => probability.length - 1 - i).map((i) => {
      const part = { below: below + after, width: width * probability[i], after };
      after += part.width;
      return part;
    }).reverse();
  }

  #bound(): Bound | undefined {
    const { last } = this;
    return last && { below: last.belowFrom[0], width: last.width, copies: this.copies };
  }

  /** Action of the last operand at this place, where this one is the same so far. */
  #sameAction(): number | undefined {
    return this.begun.isAlike ? this.last!.actions[this.begun.actions.length] : undefined;
  }
}
