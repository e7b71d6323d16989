/** Prints a checked program as canonical PyMC 5.28: from its graph, never from its author's text. */
import type { Dataset } from "../../../base/dataset.ts";
import { intervalCensored } from "../../../base/interval_censored.ts";
import { families } from "../distributions/table.ts";
import { GraphBuilder } from "../ir/builder.ts";
import { distributionNodes, transformNodes } from "../ir/canonical.ts";
import type { NodeId } from "../ir/node.ts";
import type { CheckedProgram, Parameter, Transform } from "../ir/program.ts";
import { type Shape, sizeOf } from "../ir/shape.ts";
import { CannotPrint } from "./cannot_print.ts";
import { Distributions } from "./distributions.ts";
import { columnText, Expressions } from "./expressions.ts";
import { numberText, stringText, tupleText } from "./literals.ts";
import { PythonNames } from "./python_names.ts";
import { transformText } from "./response.ts";

/** The text of a model, without the lines that read its data; or what of it has no text. */
type PrintedModel =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly what: string };

/**
 * The model of a graph as PyMC 5.28. It reads its columns from `data`, a data frame (or a mapping
 * of arrays) in which categories are codes, and needs `np`, `pm` and `pt`.
 *
 * @param program what was scored.
 * @param dataset the data that it was checked against.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../../base/dataset.ts";
 * import { checkProgram } from "../pymc/check.ts";
 * import { printModel } from "./print_model.ts";
 * const values = Float64Array.of(1.5, 2.5, 2.1);
 * const data = makeDataset("d", [{ name: "y", role: "response", type: "real", values }]);
 * const checked = checkProgram(
 *   `with pm.Model():
 *     m = pm.Normal("m", 0, tau=0.25)
 *     pm.Normal("y", m, 1, observed=data["y"])`,
 *   data,
 * );
 * assert.ok(checked.ok);
 * assert.deepEqual(printModel(checked.program, data), {
 *   ok: true,
 *   text: `with pm.Model() as model:
 *     m = pm.Normal("m", mu=0, sigma=2)
 *     pm.Normal("y", mu=m, sigma=1, observed=data["y"].to_numpy())
 * `,
 * });
 * ```
 */
export function printModel(program: CheckedProgram, dataset: Dataset): PrintedModel {
  try {
    return { ok: true, text: new ModelPrinter(program, dataset).print() };
  } catch (error) {
    if (error instanceof CannotPrint) return { ok: false, what: error.what };
    throw error;
  }
}

const parameterParts = new Set(["name", "shape", "dims", "prior", "transform"]);
const likelihoodParts = new Set(["name", "column", "distribution", "transform", "from"]);

class ModelPrinter {
  readonly #expressions: Expressions;
  readonly #distributions: Distributions;
  readonly #names = new PythonNames();
  readonly #variables = new Map<number, string>();
  readonly #coords = new Map<string, string>();

  constructor(private readonly program: CheckedProgram, private readonly dataset: Dataset) {
    const { nodes, deterministics } = program;
    const uses = new Map<NodeId, number>();
    this.#countUses(uses);
    for (const { node } of deterministics) uses.set(node, (uses.get(node) ?? 0) + 1);
    this.#expressions = new Expressions({
      nodes,
      dataset,
      names: this.#names,
      uses,
      parameter: (index) => this.#parameter(index),
    });
    this.#distributions = new Distributions(nodes, this.#expressions);
  }

  print(): string {
    const { parameters, deterministics, likelihood } = this.program;
    refuseOthers(likelihood, likelihoodParts, "a likelihood");
    parameters.forEach((_, index) => this.#parameter(index));
    const scored = this.#likelihood();
    for (const [at] of deterministics.entries()) this.#deterministic(at);
    const { host, model } = this.#expressions;
    const coords = [...this.#coords].map(([name, labels]) => `${stringText(name)}: ${labels}`);
    const given = coords.length > 0 ? `coords={${coords.join(", ")}}` : "";
    const lines = [...model, scored].flatMap((line) => wrapped(line).split("\n"));
    const windows = likelihood.distribution.family === "windowed"
      ? [...intervalCensored.split("\n"), ""]
      : [];
    return [
      ...windows,
      ...host.flatMap((line) => wrapped(line).split("\n")),
      ...host.length > 0 ? [""] : [],
      ...wrapped(`with pm.Model(${given}) as model:`).split("\n"),
      ...lines.map((line) => `    ${line}`),
      "",
    ].join("\n");
  }

  /** How often each node that the model is made of is used. */
  #countUses(uses: Map<NodeId, number>): void {
    const { nodes, parameters, likelihood } = this.program;
    const pending = [
      ...distributionNodes(likelihood.distribution),
      ...parameters.flatMap(({ prior, transform }) => [
        ...distributionNodes(prior),
        ...transformNodes(transform),
      ]),
    ];
    const seen = new Set<NodeId>();
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      uses.set(id, (uses.get(id) ?? 0) + 1);
      if (seen.has(id)) continue;
      seen.add(id);
      pending.push(...nodes[id].args);
    }
  }

  /** The variable of a parameter; its line is written when it is first asked for. */
  #parameter(index: number): string {
    const known = this.#variables.get(index);
    if (known !== undefined) return known;
    const parameter = this.program.parameters[index];
    refuseOthers(parameter, parameterParts, "a variable");
    const { callee, args } = this.#distributions.call(parameter.prior);
    const parts = [
      stringText(parameter.name),
      ...args,
      ...this.#shape(parameter),
      ...this.#transform(parameter),
    ];
    const variable = this.#names.take(parameter.name);
    this.#expressions.model.push(`${variable} = ${callee}(${parts.join(", ")})`);
    this.#variables.set(index, variable);
    if (parameter.prior.family === "lkj_cholesky_cov") {
      const node = this.program.nodes.findIndex((one) =>
        one.kind === "parameter" && one.parameter === index
      );
      this.#expressions.packed.set(node, parameter.prior.sizes?.[0] ?? 0);
    }
    return variable;
  }

  #shape({ shape, dims, prior }: Parameter): string[] {
    if (shape.length === 0 || prior.family === "lkj_cholesky_cov") return [];
    const named = this.#dims(dims, shape);
    return [named ?? `shape=${shape.length === 1 ? shape[0] : tupleText(shape)}`];
  }

  /** `dims=`, where every axis has a name and labels. */
  #dims(dims: readonly (string | undefined)[] | undefined, shape: Shape): string | undefined {
    const { coords } = this.program;
    const labelled = dims && dims.length === shape.length &&
      dims.every((name, axis) =>
        name !== undefined && Object.hasOwn(coords, name) && coords[name].length === shape[axis]
      );
    if (!labelled || dims.length === 0) return undefined;
    const names = dims.map((name) => {
      if (!this.#coords.has(name!)) this.#coords.set(name!, this.#labels(coords[name!]));
      return stringText(name!);
    });
    return `dims=${names.length === 1 ? names[0] : `(${names.join(", ")})`}`;
  }

  /** Labels of an axis: the categories of a column, a range, or a list. */
  #labels(labels: readonly (string | number)[]): string {
    const column = this.dataset.columns.find(({ categories }) =>
      categories && categories.length === labels.length &&
      categories.every((one, i) => one === labels[i])
    );
    if (column) return `categories[${stringText(column.name)}]`;
    if (labels.every((label, i) => label === i)) return `range(${labels.length})`;
    const items = labels.map((label) =>
      typeof label === "string" ? stringText(label) : numberText(label)
    );
    return `[${items.join(", ")}]`;
  }

  /** Argument for a transform other than the family's own. */
  #transform({ prior, transform, shape }: Parameter): string[] {
    if (transform.kind === "summed") return [];
    const own = this.#own(prior);
    if (sameTransform(own, transform)) return [];
    const [top, base] = transform.kind === "chain" && transform.parts.length === 2
      ? transform.parts
      : [transform, undefined];
    const start = transform.kind === "ordered" || top.kind === "ordered"
      ? orderedStart(base?.kind, shape)
      : [];
    if (base && sameTransform(own, base)) return [`transform=${this.#named(top)}`, ...start];
    if (base) throw new CannotPrint("a chain of transforms");
    if (transform.kind === "identity") return ["default_transform=None"];
    if (own.kind === "identity") return [`transform=${this.#named(transform)}`, ...start];
    return [`default_transform=${this.#named(transform)}`, ...start];
  }

  /** The family's own transform, with nodes of the program. */
  #own(prior: Parameter["prior"]): Transform {
    const { nodes } = this.program;
    const graph = new GraphBuilder();
    const places = new Map<NodeId, NodeId>();
    const args = prior.args.map((id) => {
      const { shape } = nodes[id];
      const node = nodes[id];
      const made = node.kind === "constant"
        ? graph.array(node.values, shape)
        : graph.parameter(id, shape);
      places.set(made, id);
      return made;
    });
    const own = families[prior.family].transform(graph, { ...prior, args });
    if (own.kind !== "interval") return own;
    const [lower, upper] = [own.lower, own.upper];
    const endless = graph.constantOf(lower) === -Infinity && graph.constantOf(upper) === Infinity;
    if (endless) return { kind: "identity" };
    const back = (id: NodeId) => places.get(id) ?? this.#constant(graph, id);
    return { kind: "interval", lower: back(lower), upper: back(upper) };
  }

  #constant(graph: GraphBuilder, id: NodeId): NodeId {
    const value = graph.constantOf(id);
    return this.program.nodes.findIndex((node) =>
      node.kind === "constant" && node.shape.length === 0 && Object.is(node.values[0], value)
    );
  }

  #named(transform: Transform): string {
    const module = "pm.distributions.transforms";
    switch (transform.kind) {
      case "ordered":
      case "simplex":
      case "log":
      case "logodds":
      case "circular":
        return `${module}.${transform.kind}`;
      case "interval": {
        const ends = [transform.lower, transform.upper].map((id) => this.#expressions.argument(id));
        return `${module}.Interval(${ends.join(", ")})`;
      }
      default:
        throw new CannotPrint(`the transform ${transform.kind}`);
    }
  }

  #likelihood(): string {
    const { name, column, distribution, transform, from } = this.program.likelihood;
    const { callee, args } = this.#distributions.call(distribution);
    const whole = columnText(this.dataset, column);
    const rows = from ? `${whole}[${from}:]` : whole;
    const observed = `observed=${transformText(rows, transform)}`;
    return `${callee}(${[stringText(name), ...args, observed].join(", ")})`;
  }

  /** Quantities for reports; one that has no text, or that depends on data alone, is left out. */
  #deterministic(at: number): void {
    const { name, node, dims } = this.program.deterministics[at];
    const { model } = this.#expressions;
    const before = model.length;
    try {
      if (this.#expressions.values(node)) return;
      const named = dims && this.#dims(dims, this.program.nodes[node].shape);
      const parts = [stringText(name), this.#expressions.argument(node), ...named ? [named] : []];
      model.push(`pm.Deterministic(${parts.join(", ")})`);
    } catch (error) {
      if (!(error instanceof CannotPrint)) throw error;
      model.splice(before);
      model.push(`# ${stringText(name)} is left out: cannot print ${error.what}`);
    }
  }
}

function refuseOthers(part: object, known: ReadonlySet<string>, what: string): void {
  const odd = Object.entries(part).find(([key, value]) => value !== undefined && !known.has(key));
  if (odd) throw new CannotPrint(`${what} with ${odd[0]}`);
}

function sameTransform(a: Transform, b: Transform): boolean {
  return JSON.stringify(a, keysInOrder) === JSON.stringify(b, keysInOrder);
}

function keysInOrder(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** PyMC starts all elements alike, which no order allows: it is given a start that ascends. */
function orderedStart(base: Transform["kind"] | undefined, shape: Shape): string[] {
  const ends = base === undefined
    ? [-1, 1]
    : base === "log"
    ? [0.5, 1.5]
    : base === "logodds"
    ? [0.2, 0.8]
    : undefined;
  if (!ends) return [];
  const line = `np.linspace(${ends[0]}, ${ends[1]}, ${shape.at(-1)})`;
  const rest = sizeOf(shape) !== shape.at(-1);
  return [`initval=${rest ? `np.broadcast_to(${line}, ${tupleText(shape)})` : line}`];
}

/** A line of at most 100 characters where it has commas outside of brackets to break at. */
function wrapped(line: string): string {
  const open = line.indexOf("(");
  if (line.length <= 96 || open < 0 || line.startsWith("#")) return line;
  const close = line.lastIndexOf(")");
  const items = itemsOf(line.slice(open + 1, close));
  if (items.length < 2) return line;
  const body = items.map((item) => `    ${item},`);
  return [line.slice(0, open + 1), ...body, line.slice(close)].join("\n");
}

/** The items of a list between commas that stand in no bracket and no string. */
function itemsOf(text: string): string[] {
  const items: string[] = [];
  let [depth, quoted, start] = [0, false, 0];
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (quoted) {
      if (character === "\\") i++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if ("([{".includes(character)) depth++;
    else if (")]}".includes(character)) depth--;
    else if (character === "," && depth === 0) {
      items.push(text.slice(start, i).trim());
      start = i + 1;
    }
    if (depth < 0) return [];
  }
  items.push(text.slice(start).trim());
  return items;
}
