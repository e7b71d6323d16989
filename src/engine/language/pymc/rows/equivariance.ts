/** Decides whether a model treats rows alike: whether they may change places without being missed. */
import type { Parameter } from "../../ir/program.ts";
import { sizeOf } from "../../ir/shape.ts";
import { possibleActions, relabellingsOf } from "./actions.ts";
import { elementSymbols } from "./element_symbols.ts";
import { mix, type Twin } from "./symbols.ts";
import {
  type Action,
  type Actions,
  type ColumnPair,
  type RowModel,
  TwinGraphs,
} from "./twin_graphs.ts";

/**
 * Whether rows are exchangeable: whether the terms of the rows change places with the rows, and nothing else
 * changes. Both models are read off one text, `second` from the data whose row `i` is row `order[i]` of the first.
 *
 * Numbers of the text that are those of one of the `columns` stand for it.
 *
 * Elements of a variable may change places with the rows, or with codes that are numbered by their first
 * row, if they have one prior. Undefined if all holds; else the graphs, as far as they were visited.
 */
export function rowsAreToldApart(
  first: RowModel,
  second: RowModel,
  order: Int32Array,
  columns: readonly ColumnPair[] = [],
): TwinGraphs | undefined {
  const graphs = new TwinGraphs(first, second, order.length, columns);
  const pairs = pairedParameters(first, second);
  if (!pairs || !first.likelihood || !second.likelihood) return graphs;
  const check = new ExchangeCheck(graphs, pairs, order);
  return check.holds() ? undefined : graphs;
}

/** A variable in both models. */
interface Pair {
  readonly one: Parameter;
  readonly other: Parameter;
}

function pairedParameters(first: RowModel, second: RowModel): Pair[] | undefined {
  if (first.parameters.length !== second.parameters.length) return undefined;
  const byName = new Map(second.parameters.map((one) => [one.name, one]));
  const pairs: Pair[] = [];
  for (const one of first.parameters) {
    const other = byName.get(one.name);
    if (!other || `${other.shape}` !== `${one.shape}`) return undefined;
    pairs.push({ one, other });
  }
  return pairs;
}

class ExchangeCheck {
  readonly #chosen = new Map<string, Action | undefined>();

  constructor(
    readonly graphs: TwinGraphs,
    readonly pairs: readonly Pair[],
    readonly order: Int32Array,
  ) {}

  holds(): boolean {
    const { graphs, pairs, order } = this;
    const labels = relabellingsOf(graphs.first, graphs.second, order);
    for (const pair of [...pairs].reverse()) {
      const possible = possibleActions(pair.one, order, labels);
      this.#chosen.set(pair.one.name, possible[0]);
      if (possible.length > 1) {
        this.#chosen.set(pair.one.name, possible.find((action) => this.#suits(pair, action)));
      }
    }
    graphs.read(({ name }) => this.#chosen.get(name));
    return this.#likelihoodHolds() && pairs.every((pair) => this.#priorHolds(pair));
  }

  /** Whether an action agrees with all readers of the variable, the others not being distinguished. */
  #suits(pair: Pair, action: Action | undefined): boolean {
    const { pairs, graphs } = this;
    const read: Actions = ({ name, shape }) =>
      name === pair.one.name ? action : sizeOf(shape) > 1 ? "blank" : undefined;
    graphs.read(read);
    const before = this.#chosen.get(pair.one.name);
    this.#chosen.set(pair.one.name, action);
    const later = pairs.slice(pairs.indexOf(pair));
    const suits = this.#likelihoodHolds() && later.every((one) => this.#priorHolds(one));
    if (!suits) this.#chosen.set(pair.one.name, before);
    return suits;
  }

  #likelihoodHolds(): boolean {
    const { graphs, order } = this;
    const [one, other] = [graphs.first.likelihood!, graphs.second.likelihood!];
    const twin = elementSymbols(graphs, one.distribution, other.distribution);
    if (!twin) return false;
    const rows = (symbols: Int32Array) => byRow(symbols, order.length);
    const [before, after] = [rows(twin.first), rows(twin.second)];
    return after.every((symbol, i) => symbol === before[order[i]]);
  }

  #priorHolds({ one, other }: Pair): boolean {
    const twin = elementSymbols(this.graphs, one.prior, other.prior);
    const action = this.#chosen.get(one.name);
    return twin !== undefined && sameUnder(twin, action);
  }
}

function sameUnder({ first, second }: Twin, action: Action | undefined): boolean {
  return second.every((symbol, i) => symbol === first[action ? action[i] : i]);
}

/** One symbol for each row, of all its elements in order. */
function byRow(symbols: Int32Array, rows: number): Int32Array {
  const width = symbols.length / rows;
  return Int32Array.from({ length: rows }, (_, row) => {
    let symbol = width;
    for (let k = 0; k < width; k++) symbol = mix(symbol, symbols[row * width + k]);
    return symbol;
  });
}
