/** Prior and posterior predictive draws of a checked program, and draws of its prior. */
import { type Dataset, knowsResponse } from "../../../base/dataset.ts";
import { inputError } from "../../../base/diagnostic.ts";
import { listed } from "../../../base/listed.ts";
import { RandomStream } from "../../../base/random.ts";
import { families } from "../../language/distributions/table.ts";
import type { ArrayValue } from "../../language/ir/array_value.ts";
import type { GraphNode, NodeId } from "../../language/ir/node.ts";
import type { CheckedProgram, Distribution } from "../../language/ir/program.ts";
import { sizeOf } from "../../language/ir/shape.ts";
import { drawDistribution } from "./draw_distribution.ts";
import { Interpreter, neededNodes, nodesOfDistribution, type NodeValues } from "./interpreter.ts";
import { forNewLevels } from "./new_levels.ts";
import { graphForRows } from "./new_rows.ts";

/** Values of the columns that a program may read, by name. */
type Columns = ReadonlyMap<string, Float64Array>;

/** The columns of a data set by name. */
export function columnsOf(dataset: Dataset): Columns {
  return new Map(dataset.columns.map(({ name, values }) => [name, values]));
}

/** Draws of everything that a program names, before the data. */
interface PriorDraws {
  /** How many draws. */
  readonly draws: number;
  /** Of each parameter `[draws, …shape]`, in the program's order. */
  readonly parameters: readonly Float64Array[];
  /** Of each deterministic `[draws, …shape]`. */
  readonly deterministics: readonly Float64Array[];
  /** Of the response `[draws, …shape]`. */
  readonly response: Float64Array;
}

/** Parameters in an order in which every prior depends only on those before it. */
function priorOrder(program: CheckedProgram): readonly number[] {
  const { nodes, parameters } = program;
  const order: number[] = [];
  const placed = new Set<number>();
  while (order.length < parameters.length) {
    const next = parameters.findIndex((one, k) =>
      !placed.has(k) && dependsOn(program, one.prior).every((other) => placed.has(other))
    );
    if (next < 0) {
      throw new Error(`internal: priors that look at each other in ${nodes.length} nodes`);
    }
    order.push(next);
    placed.add(next);
  }
  return order;
}

/** Parameters that a distribution depends on. */
function dependsOn({ nodes }: CheckedProgram, distribution: Distribution): readonly number[] {
  const seen = new Set<number>();
  const stack = nodesOfDistribution(distribution);
  const found = new Set<number>();
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const node = nodes[id];
    if (node.kind === "parameter") found.add(node.parameter);
    stack.push(...node.args);
  }
  return [...found];
}

/**
 * Draws parameters from their priors, and from them deterministics and the response.
 *
 * @param key of the random stream: the same key gives the same draws.
 */
export function priorDraws(
  program: CheckedProgram,
  dataset: Dataset,
  draws: number,
  key: readonly (string | number)[],
): PriorDraws {
  const columns = columnsOf(dataset);
  const order = priorOrder(program);
  const interpreters = order.map((k) =>
    new Interpreter(program.nodes, columns, nodesOfDistribution(program.parameters[k].prior))
  );
  const { distribution } = program.likelihood;
  const named = program.deterministics.map(({ node }) => node);
  const last = new Interpreter(program.nodes, columns, [
    ...nodesOfDistribution(distribution),
    ...named,
  ]);
  const random = new RandomStream(...key, "prior");
  const out = emptyDraws(program, draws);
  for (let s = 0; s < draws; s++) {
    for (const [place, k] of order.entries()) {
      const value = rowOf(out.parameters[k], s, sizeOf(program.parameters[k].shape));
      interpreters[place].run();
      drawDistribution(random, program.parameters[k].prior, valuesOf(interpreters[place]), value);
      for (const other of interpreters.slice(place + 1)) other.setParameter(k, value);
      last.setParameter(k, value);
    }
    last.run();
    for (const [k, node] of named.entries()) {
      const { values } = last.value(node);
      out.deterministics[k].set(values, s * values.length);
    }
    drawDistribution(
      random,
      distribution,
      valuesOf(last),
      rowOf(out.response, s, sizeOf(distribution.shape)),
    );
  }
  return out;
}

function emptyDraws(program: CheckedProgram, draws: number): PriorDraws {
  const room = (size: number) => new Float64Array(draws * size);
  return {
    draws,
    parameters: program.parameters.map(({ shape }) => room(sizeOf(shape))),
    deterministics: program.deterministics.map(({ node }) =>
      room(sizeOf(program.nodes[node].shape))
    ),
    response: room(sizeOf(program.likelihood.distribution.shape)),
  };
}

const valuesOf = (interpreter: Pick<NodeValues, "value">) => (id: number): ArrayValue =>
  interpreter.value(id);

function rowOf(values: Float64Array, s: number, size: number): Float64Array {
  return values.subarray(s * size, (s + 1) * size);
}

/** Draws of the parameters of a posterior. */
export interface ParameterDraws {
  /** How many draws. */
  readonly draws: number;
  /** Of each parameter `[draws, …shape]`, in the program's order. */
  readonly parameters: readonly Float64Array[];
}

/** How responses are replicated. */
interface ReplicationOptions {
  /** Key of the random stream. */
  readonly key: readonly (string | number)[];
  /** Other rows than those of the data; a response column is not needed. */
  readonly at?: { readonly columns: Columns; readonly rows: number };
  /** A parameter that is drawn again from its prior, such as the latent of each row. */
  readonly redraw?: number;
  /** Computes the distribution's arguments; the interpreter if left out. Generated code pays off for many draws. */
  readonly nodes?: new (...graph: ConstructorParameters<typeof Interpreter>) => NodeValues;
}

/** The distribution of the response at some rows, at one draw of the parameters after the other. */
export interface RowsAtDraws {
  readonly distribution: Distribution;
  /** Shapes of the nodes that the distribution is made of, by their ids. */
  readonly shapes: readonly (readonly number[])[];
  /** Values of those that are the same at every draw, where it is known. */
  readonly fixed?: (id: number) => Float64Array | undefined;
  /** Calls back at draws `[from, to)`, all if left out, with the values of these nodes, which the next draw overwrites. */
  forEach(
    visit: (draw: number, valueOf: (id: number) => ArrayValue, random: RandomStream) => void,
    from?: number,
    to?: number,
  ): void;
}

/**
 * The distribution of the response given draws of the parameters. Levels of groups that only the new rows have are drawn
 * from their population.
 *
 * @throws InputError, at new rows that the program cannot be carried over to.
 */
export function rowsAtDraws(
  program: CheckedProgram,
  dataset: Dataset,
  posterior: ParameterDraws,
  { key, at, redraw, nodes: Nodes = Interpreter }: ReplicationOptions,
): RowsAtDraws {
  const training = columnsOf(dataset);
  const levels = at && forNewLevels(program, dataset, at.columns);
  const { nodes, distribution } = at
    ? graphForRows(levels!.program, training, dataset.rows, at.rows, redraw)
    : { nodes: program.nodes, distribution: program.likelihood.distribution };
  if (at) requireColumns(nodes, nodesOfDistribution(distribution), dataset, at.columns);
  const columns = levels ? new Map([...training, ...levels.columns]) : training;
  const interpreter = new Nodes(nodes, columns, nodesOfDistribution(distribution));
  const fresh = freshPriors(program, training, [
    ...(redraw === undefined ? [] : [{ parameter: redraw, kept: 0, count: at?.rows }]),
    ...[...levels?.grown ?? []].map(([parameter, count]) => {
      return { parameter, kept: sizeOf(program.parameters[parameter].shape), count };
    }),
  ]);
  const random = new RandomStream(...key, "predictive");
  const forEach: RowsAtDraws["forEach"] = (visit, from = 0, to = posterior.draws) => {
    for (let s = from; s < to; s++) {
      for (const [k, { shape }] of program.parameters.entries()) {
        const value = rowOf(posterior.parameters[k], s, sizeOf(shape));
        for (const one of fresh.values()) one.interpreter.setParameter(k, value);
        const own = fresh.get(k);
        if (own) own.value.set(value.subarray(0, own.kept));
        else interpreter.setParameter(k, value);
      }
      for (const [k, { interpreter: prior, distribution, value, kept }] of fresh) {
        prior.run();
        drawDistribution(random, distribution, valuesOf(prior), value.subarray(kept));
        interpreter.setParameter(k, value);
      }
      if (fresh.size > 0 || s === from || !isRepeated(posterior, s)) interpreter.run();
      visit(s, valuesOf(interpreter), random);
    }
  };
  const fixed = (id: number) => interpreter.fixed(id);
  return { distribution, shapes: nodes.map(({ shape }) => shape), fixed, forEach };
}

/**
 * Columns of rows have no values at other rows but those that are given. Limits and events say how rows were recorded,
 * which others were not.
 *
 * @throws InputError `predict/columns` for columns that the targets read and that are not given.
 */
function requireColumns(
  nodes: readonly GraphNode[],
  targets: readonly NodeId[],
  dataset: Dataset,
  given: Columns,
): void {
  const recorded = dataset.columns.filter(knowsResponse).map(({ name }) => name);
  const read = neededNodes(nodes, targets).flatMap((id) => {
    const node = nodes[id];
    return node.kind === "column" ? [node.column] : [];
  });
  const lacking = [...new Set(read)].filter((one) => !given.has(one) && !recorded.includes(one));
  if (lacking.length === 0) return;
  const message = `Cannot predict: the new rows lack ${listed(lacking)}, which the program reads`;
  throw inputError("predict/columns", message, undefined, "add these columns to the new rows");
}

/** Whether a draw is that before it. */
function isRepeated({ draws, parameters }: ParameterDraws, s: number): boolean {
  return parameters.every((values) => {
    const size = values.length / draws;
    for (let i = s * size; i < (s + 1) * size; i++) {
      if (values[i] !== values[i - size]) return false;
    }
    return true;
  });
}

/**
 * A draw of the response for every draw of the parameters: `[draws, …shape]`, the posterior
 * predictive distribution, as `rowsAtDraws` has it.
 */
export function replicate(
  program: CheckedProgram,
  dataset: Dataset,
  posterior: ParameterDraws,
  options: ReplicationOptions,
): Float64Array {
  return replicated(rowsAtDraws(program, dataset, posterior, options), posterior.draws);
}

/**
 * A draw of the response for every draw of the parameters.
 *
 * @param stream of random numbers; that of the rows if left out.
 */
export function replicated(
  { distribution, forEach }: RowsAtDraws,
  draws: number,
  stream?: RandomStream,
): Float64Array {
  const size = sizeOf(distribution.shape);
  const out = new Float64Array(draws * size);
  forEach((s, valueOf, random) =>
    drawDistribution(stream ?? random, distribution, valueOf, rowOf(out, s, size))
  );
  return out;
}

/** A parameter of which elements are drawn again. */
interface Fresh {
  readonly parameter: number;
  /** Elements in front that stay as they were fitted. */
  readonly kept: number;
  /** Along the first axis, how many are drawn; all of them if left out. */
  readonly count?: number;
}

/** Draws elements of parameters from their priors again, by the index of each parameter. */
function freshPriors(program: CheckedProgram, columns: Columns, all: readonly Fresh[]) {
  return new Map(all.map(({ parameter, kept, count }) => {
    const { prior } = program.parameters[parameter];
    if (families[prior.family].eventRank > 0) throw new Error("internal: no prior of single rows");
    const shape = count === undefined ? prior.shape : [count, ...prior.shape.slice(1)];
    const interpreter = new Interpreter(program.nodes, columns, nodesOfDistribution(prior));
    const value = new Float64Array(kept + sizeOf(shape));
    return [parameter, { distribution: { ...prior, shape }, interpreter, value, kept }] as const;
  }));
}
