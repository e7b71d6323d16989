/** Counts the fillings of nested holes, and the prior mass that bounds keep, without listing them. */
import { inPlace, type Place, type Rooms } from "./rooms.ts";

/** Counts by place; rounded beyond 2^53, and at most the largest double. */
export class Sizes {
  readonly #counts = new Map<string, number>();
  readonly #kept = new Map<string, number>();

  constructor(readonly rooms: Rooms) {}

  /** Fillings of a place, each normal form once. */
  count(place: Place): number {
    const number = this.rooms.grammar.holes[place.hole].number;
    if (number) return number.stop === undefined ? 2 ** number.bits : 2 ** (number.bits + 1) - 1;
    return inPlace(this.#counts, place, () => {
      const all = this.rooms.legal(place).map((action) => this.#countOf(place, action));
      return Math.min(Number.MAX_VALUE, all.reduce((sum, one) => sum + one, 0));
    });
  }

  #countOf(place: Place, action: number): number {
    const { normal } = this.rooms.grammar.actions[action];
    const product = (operands?: number) =>
      this.rooms.inner(place, action, operands)
        .reduce((sum, inner) => sum * this.count(inner), 1);
    if (!normal) return product();
    return this.rooms.chainLengths(place, action).reduce((sum, operands) => {
      if (!normal.commutative) return sum + product(operands);
      return sum + multisets(this.count(this.rooms.inner(place, action, operands)[0]), operands);
    }, 0);
  }

  /**
   * Mass that derivations within the bounds have if nothing bounds them: each hole is filled by its
   * weights alone, and a chain goes on by the weight of its production.
   */
  kept(place: Place): number {
    const { grammar } = this.rooms;
    const { number, actions } = grammar.holes[place.hole];
    if (number) return 1;
    return inPlace(this.#kept, place, () => {
      const free = actions.filter((action) => action !== place.except);
      const total = free.reduce((sum, action) => sum + grammar.actions[action].weight, 0);
      return free.filter((action) => this.rooms.isLegal(place, action)).reduce((sum, action) => {
        return sum + grammar.actions[action].weight / total * this.#keptBy(place, action);
      }, 0);
    });
  }

  #keptBy(place: Place, action: number): number {
    const { grammar } = this.rooms;
    const { normal, weight, hole } = grammar.actions[action];
    const product = (operands?: number) =>
      this.rooms.inner(place, action, operands).reduce((all, one) => all * this.kept(one), 1);
    if (!normal?.associative) return product();
    const total = grammar.holes[hole].actions
      .reduce((sum, one) => sum + grammar.actions[one].weight, 0);
    const on = weight / total;
    return this.rooms.chainLengths(place, action).reduce((sum, operands) => {
      const stops = operands === normal.operands ? 1 : 1 - on;
      return sum + on ** (operands - 2) * stops * product(operands);
    }, 0);
  }
}

/** Multisets of `size` things out of `kinds`. */
function multisets(kinds: number, size: number): number {
  let all = 1;
  for (let i = 0; i < size; i++) all = all * (kinds + i) / (i + 1);
  return all < 2 ** 53 ? Math.round(all) : all;
}
