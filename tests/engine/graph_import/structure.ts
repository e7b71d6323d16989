/** Compares two checked programs node by node: names, order and who folded constants do not count. */
import type { Dataset } from "../../../src/base/dataset.ts";
import { evaluateNode } from "../../../src/engine/language/ir/evaluate.ts";
import type { NodeId } from "../../../src/engine/language/ir/node.ts";
import { commutative } from "../../../src/engine/language/ir/operations.ts";
import type { CheckedProgram, Distribution } from "../../../src/engine/language/ir/program.ts";
import { ulpDistance } from "../../numerics/math/ulp.ts";

/** An empty text if both are the same program, else the first difference. */
export function structureDifference(
  a: CheckedProgram,
  b: CheckedProgram,
  dataset: Dataset,
  ulps: number,
): string {
  return new Comparison(a, b, dataset, ulps).difference();
}

type Values = Float64Array | undefined;

/** Numbers of all nodes that depend on data and constants alone. */
function dataValues(program: CheckedProgram, dataset: Dataset): Values[] {
  const values: Values[] = [];
  for (const node of program.nodes) {
    const args = node.args.map((id) => ({ shape: program.nodes[id].shape, values: values[id]! }));
    const known = node.kind !== "parameter" && args.every((arg) => arg.values);
    if (!known) values.push(undefined);
    else if (node.kind === "column") {
      values.push(dataset.columns.find(({ name }) => name === node.column)!.values);
    } else values.push(evaluateNode(node, args));
  }
  return values;
}

class Comparison {
  readonly #valuesA: Values[];
  readonly #valuesB: Values[];
  readonly #known = new Map<string, boolean>();

  constructor(
    private readonly a: CheckedProgram,
    private readonly b: CheckedProgram,
    dataset: Dataset,
    private readonly ulps: number,
  ) {
    this.#valuesA = dataValues(a, dataset);
    this.#valuesB = dataValues(b, dataset);
  }

  difference(): string {
    const names = (program: CheckedProgram) => program.parameters.map(({ name }) => name).sort();
    if (`${names(this.a)}` !== `${names(this.b)}`) return "other parameters";
    for (const parameter of this.a.parameters) {
      const other = this.b.parameters.find(({ name }) => name === parameter.name)!;
      if (!this.#sameDistribution(parameter.prior, other.prior)) {
        return `the prior of ${parameter.name}`;
      }
      if (parameter.transform.kind !== other.transform.kind) {
        return `transform of ${parameter.name}`;
      }
    }
    return this.#sameDistribution(this.a.likelihood.distribution, this.b.likelihood.distribution)
      ? ""
      : "the likelihood";
  }

  #sameDistribution(x: Distribution, y: Distribution): boolean {
    const head = (distribution: Distribution) =>
      `${distribution.family} ${distribution.shape} ${distribution.sizes} ${distribution.components?.length}`;
    return head(x) === head(y) && x.args.every((id, i) => this.#same(id, y.args[i])) &&
      (x.components ?? []).every((distribution, i) =>
        this.#sameDistribution(distribution, y.components![i])
      );
  }

  #same(x: NodeId, y: NodeId): boolean {
    const key = `${x} ${y}`;
    const known = this.#known.get(key) ?? this.#compare(x, y);
    this.#known.set(key, known);
    return known;
  }

  #compare(x: NodeId, y: NodeId): boolean {
    const [p, q] = [this.a.nodes[x], this.b.nodes[y]];
    const [v, w] = [this.#valuesA[x], this.#valuesB[y]];
    if (v && w) return v.length === w.length && v.every((value, i) => this.#near(value, w[i]));
    if (`${p.shape}` !== `${q.shape}`) return false;
    if (p.kind === "parameter" && q.kind === "parameter") {
      return this.a.parameters[p.parameter].name === this.b.parameters[q.parameter].name;
    }
    const [i, j] = [this.#index(this.a, x), this.#index(this.b, y)];
    if (i && j) return `${i}` === `${j}` && this.#same(p.args[0], q.args[0]);
    if (label(p) !== label(q) || p.args.length !== q.args.length) return false;
    if (p.args.every((arg, k) => this.#same(arg, q.args[k]))) return true;
    const swappable = p.kind === "map" && commutative.has(p.op) && p.args.length === 2;
    return swappable && this.#same(p.args[0], q.args[1]) && this.#same(p.args[1], q.args[0]);
  }

  /** Flat places of a gather, or of a take, whose places are data. */
  #index(program: CheckedProgram, id: NodeId): readonly number[] | undefined {
    const node = program.nodes[id];
    if (node.kind === "gather") return [...node.index];
    if (node.kind !== "take") return undefined;
    return [...(program === this.a ? this.#valuesA : this.#valuesB)[node.args[1]]!];
  }

  #near(x: number, y: number): boolean {
    return Object.is(x, y) || x === y || ulpDistance(x, y) <= this.ulps;
  }
}

function label(node: CheckedProgram["nodes"][number]): string {
  switch (node.kind) {
    case "map":
      return node.op;
    case "reduce":
      return `${node.op} ${node.axes}`;
    case "scan":
      return `${node.op} ${node.axis}`;
    case "solve":
      return `solve ${node.transposed}`;
    default:
      return node.kind;
  }
}
