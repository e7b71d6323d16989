/** The constants that a program's densities depend on, with the forms of each. */
import type { Dataset } from "../../../base/dataset.ts";
import { log } from "../../../numerics/math/mod.ts";
import { distributionNodes, transformNodes } from "../../language/ir/canonical.ts";
import {
  choice,
  type Form,
  formsOfArray,
  formsOfNumber,
  lengthOf,
  lengthOfArray,
  lengthOfPlaces,
} from "../../language/ir/code_length.ts";
import { families } from "../../language/distributions/table.ts";
import { evaluateNode } from "../../language/ir/evaluate.ts";
import type { GraphNode, NodeId } from "../../language/ir/node.ts";
import type { CheckedProgram, Distribution } from "../../language/ir/program.ts";
import { ofDataStep, ofStep } from "../../language/ir/origins.ts";
import { statedBy } from "../../language/ir/stated.ts";
import { Given } from "./given.ts";
import { isOfColumns } from "./of_columns.ts";

/** A constant, or an expression of the data that is one number. */
export interface Unit {
  /** Its place in the program. */
  readonly node: NodeId;
  /** Forms of it, the shortest first; the last is the written one. */
  readonly forms: readonly Form[];
}

/** Constants of a program. */
interface Constants {
  /** Constants whose digits can be left out to measure the effect. */
  readonly units: readonly Unit[];
  /** Nats of all others: lists that functions made something of, and arrangements. */
  readonly fixed: number;
}

/** Operations that put a number into a mean. */
const placing: ReadonlySet<string> = new Set(["add", "sub", "mul", "div", "where", "pow"]);
/** Comparisons of the graph: > and ≥ are written with their sides exchanged. */
const comparing: ReadonlySet<string> = new Set(["lt", "le", "eq", "ne"]);
/** Uses of regular numbers that a formula has anyway. */
const freeUses = 4;
/** Of these, such as are no 1. */
const freeFactors = 2;

/** Finds the constants of a program in a data set. */
export function constantsOf(program: CheckedProgram, dataset: Dataset): Constants {
  return new Search(program, dataset).found();
}

class Search {
  readonly #units: Unit[] = [];
  readonly #fixed = new Map<string, number>();
  readonly #seen = new Set<NodeId>();
  readonly #host: (boolean | undefined)[] = [];
  readonly #ofData: (boolean | undefined)[] = [];
  readonly #values = new Map<NodeId, Float64Array>();
  readonly #stated: ReadonlySet<number>;
  /** Numbers that are arguments of priors and nothing else. */
  readonly #ofPriors: ReadonlySet<NodeId>;
  /** Scales that make constants of what is called a parameter. */
  readonly #narrow: ReadonlySet<NodeId>;
  readonly #given: Given;

  constructor(private readonly program: CheckedProgram, private readonly dataset: Dataset) {
    this.#stated = statedBy(dataset);
    this.#ofPriors = argumentsOfPriors(program);
    this.#narrow = scalesOfNarrowPriors(program);
    this.#given = new Given(
      program,
      dataset,
      (id) => this.#host[id] ? this.#valueOf(id) : undefined,
    );
    for (const node of program.nodes) this.#classify(node);
  }

  found(): Constants {
    const { parameters, likelihood } = this.program;
    this.#distribution(likelihood.distribution);
    for (const [k, { prior, transform }] of parameters.entries()) {
      this.#distribution(prior);
      if (transform.kind === "summed" && transform.lower !== 0) {
        const length = lengthOf(transform.lower, this.#stated);
        this.#fixed.set(`lowest of ${k}`, length === 0 ? 0 : length + choice);
      }
      for (const id of transformNodes(transform)) this.#visit(id);
    }
    let fixed = this.#lengthOfUses();
    for (const length of this.#fixed.values()) fixed += length;
    return { units: this.#units, fixed };
  }

  /** Arguments come before the nodes that use them. */
  #classify({ kind, args }: GraphNode): void {
    const at = this.#host.length;
    const isLeaf = kind === "parameter" || kind === "input";
    const isResponse = kind === "column" && this.#columnOf(at)?.role === "response";
    this.#host.push(!isLeaf && !isResponse && args.every((arg) => this.#host[arg]));
    const origin = this.program.origins?.get(at);
    this.#ofData.push(
      kind === "column" || (origin?.ofData ?? false) || args.some((arg) => this.#ofData[arg]),
    );
  }

  #columnOf(id: NodeId) {
    const node = this.program.nodes[id];
    return node.kind === "column"
      ? this.dataset.columns.find(({ name }) => name === node.column)
      : undefined;
  }

  #distribution({ args, components }: Distribution): void {
    for (const id of args) this.#visit(id);
    for (const one of components ?? []) this.#distribution(one);
  }

  #visit(id: NodeId): void {
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    const node = this.program.nodes[id];
    if (this.#host[id]) this.#hostNode(id, node);
    else {
      this.#index(id, node);
      for (const [k, arg] of node.args.entries()) {
        if (node.kind === "take" && k === 1) this.#places(arg);
        this.#visit(arg);
      }
    }
  }

  /** Places of elements that are known from constants alone. */
  #places(id: NodeId): void {
    const values = this.#host[id] && !this.#ofData[id] ? this.#valueOf(id) : undefined;
    const { args, shape } = this.program.nodes[id];
    if (values && values.length > 1) {
      if (lengthOfPlaces(values, shape.at(-1)) === 0) this.#seen.add(id);
    } else for (const arg of args) this.#places(arg);
  }

  /** A number, an array without data in it, one that a function made of data, or an expression of columns. */
  #hostNode(id: NodeId, node: GraphNode): void {
    if (node.kind === "column") return;
    const values = this.#valueOf(id);
    if (!values || values.length === 0) return;
    if (values.every((one) => one === values[0])) return this.#number(id, values[0], values.length);
    if (!this.#ofData[id]) return this.#array(id, values);
    if (node.kind === "constant") return this.#madeOfData(id, values);
    this.#index(id, node);
    for (const arg of node.args) this.#visit(arg);
  }

  /** A number in an expression costs ln 3 more than one of a prior: it is there, and something is done with it. */
  #number(id: NodeId, value: number, count: number): void {
    const written = Math.min(
      lengthOf(value, this.#stated),
      this.#lengthOfSteps(id),
      this.#lengthOfThreshold(id),
    );
    if (written === 0 || this.#narrow.has(id)) return;
    const isOfPriors = this.#ofPriors.has(id);
    const more = isOfPriors ? 0 : choice;
    const forms = formsOfNumber(value, written).map((one) => ({
      length: isNeutral(one.values[0]) ? 0 : one.length + more,
      values: new Float64Array(count).fill(one.values[0]),
    }));
    const given = this.#given.numbers(id, isOfPriors).map((one) => ({
      length: 0,
      values: new Float64Array(count).fill(one),
    }));
    this.#units.push({ node: id, forms: nearestFirst(value, [...given, ...forms]) });
  }

  /** Code length of a threshold on a column: the choice of the two values between which it lies. */
  #lengthOfThreshold(id: NodeId): number {
    const { nodes } = this.program;
    const users = nodes.flatMap((node, at) => node.args.includes(id) ? [{ node, at }] : []);
    let most = 0;
    for (const { node, at } of users) {
      if (node.kind !== "map" || !comparing.has(node.op) || !this.#host[at]) return Infinity;
      const other = this.#valueOf(node.args.find((arg) => arg !== id) ?? id);
      most = Math.max(most, log(new Set(other).size + 1));
    }
    return users.length === 0 ? Infinity : most;
  }

  #array(id: NodeId, values: Float64Array): void {
    if (isOfColumns(values, this.dataset)) return;
    const columns = this.program.nodes[id].shape.at(-1) ?? 1;
    const length = Math.min(lengthOfArray(values, columns), this.#lengthOfSteps(id));
    const grids = this.#given.grids(values).map((one) => ({ length: 0, values: one }));
    if (length > 0) {
      this.#units.push({ node: id, forms: [...grids, ...formsOfArray(values, columns, length)] });
    }
  }

  #madeOfData(id: NodeId, values: Float64Array): void {
    if (isOfColumns(values, this.dataset)) return;
    const parts = this.program.origins?.get(id)?.parts ?? new Map<string, number>();
    let sum = 0;
    for (const length of parts.values()) sum += length;
    const own = lengthOfArray(values, this.program.nodes[id].shape.at(-1));
    if (own < sum) this.#fixed.set(`values ${id}`, own);
    else for (const [part, length] of parts) this.#fixed.set(part, length);
  }

  /** Code length in nats of a number's computation: the numbers written for it, and steps. */
  #lengthOfSteps(id: NodeId): number {
    const origin = this.program.origins?.get(id);
    let sum = 0;
    if (origin) { for (const length of origin.parts.values()) sum += length; }
    else if (this.program.nodes[id].kind === "constant") return Infinity;
    const { args } = this.program.nodes[id];
    for (const arg of args) {
      const { kind } = this.program.nodes[arg];
      const values = this.#valueOf(arg);
      if (kind === "column") continue;
      const isLeaf = kind === "constant" && !this.program.origins?.has(arg);
      const written = values && isLeaf
        ? values.length === 1 ? lengthOf(values[0], this.#stated) : lengthOfArray(values)
        : 0;
      const isChosen = args.length > 1 && values?.length === 1 && (isLeaf || this.#ofData[arg]);
      sum += written > 0 ? written : this.#lengthOfSteps(arg) + (isChosen ? choice : 0);
    }
    if (args.length === 0) return sum;
    return sum + (args.length === 1 && this.#ofData[id] ? ofDataStep : ofStep);
  }

  /**
   * Repeated choices among regular numbers carry information, too: ln 3 for each use after a few,
   * and a step for each that is no 1.
   */
  #lengthOfUses(): number {
    const { nodes } = this.program;
    const uses = [...this.#seen].flatMap((id) => {
      const node = nodes[id];
      if (node.kind !== "map" || !placing.has(node.op)) return [];
      return node.args.filter((arg) => {
        const { kind, shape } = nodes[arg];
        return kind === "constant" && shape.length === 0 && this.#isRegular(arg);
      });
    });
    const factors = uses.filter((arg) => Math.abs(this.#valueOf(arg)![0]) !== 1);
    return Math.max(0, uses.length - freeUses) * choice +
      Math.max(0, factors.length - freeFactors) * ofStep;
  }

  #isRegular(id: NodeId): boolean {
    const value = this.#valueOf(id)![0];
    return value !== 0 && lengthOf(value, this.#stated) === 0 && !this.program.origins?.has(id);
  }

  /** Places that a program gives one by one say as much as numbers. */
  #index(id: NodeId, node: GraphNode): void {
    const places = placesOf(node);
    if (!places) return;
    if (isOfColumns(places, this.dataset)) return;
    const length = lengthOfPlaces(places, node.shape.at(-1));
    if (length > 0) this.#fixed.set(`places ${id}`, length);
  }

  #valueOf(id: NodeId): Float64Array | undefined {
    const known = this.#values.get(id);
    if (known) return known;
    const node = this.program.nodes[id];
    const values = node.kind === "constant"
      ? node.values
      : node.kind === "column"
      ? this.#columnOf(id)?.values
      : this.#computed(node);
    if (values) this.#values.set(id, values);
    return values;
  }

  #computed(node: GraphNode): Float64Array | undefined {
    const args = [];
    for (const arg of node.args) {
      const values = this.#valueOf(arg);
      if (!values) return undefined;
      args.push({ shape: this.program.nodes[arg].shape, values });
    }
    return evaluateNode(node, args);
  }
}

/** Of forms that cost the same those first that are in the least proportion to what stands there. */
function nearestFirst(value: number, forms: readonly Form[]): Form[] {
  const proportion = ({ values }: Form) => {
    const ratio = values[0] / value;
    return ratio > 0 ? Math.max(ratio, 1 / ratio) : Infinity;
  };
  return forms.toSorted((a, b) => a.length - b.length || proportion(a) - proportion(b));
}

/** Numbers that add or multiply nothing: to leave a constant out has no code length. */
function isNeutral(value: number): boolean {
  return value === 0 || value === 1;
}

/** Where a node takes elements from, or which arguments stand where; undefined if that costs nothing. */
function placesOf(node: GraphNode): Float64Array | undefined {
  if (node.kind === "gather" || node.kind === "scatter") {
    return Float64Array.from(node.index).filter((at) => at >= 0);
  }
  const distinct = [...new Set(node.args)];
  if (node.kind !== "join" || distinct.length === node.args.length) return undefined;
  return Float64Array.from(node.args, (arg) => distinct.indexOf(arg));
}

/** Nodes that priors take as their arguments, and no expression uses. */
function argumentsOfPriors({ nodes, parameters, likelihood }: CheckedProgram): Set<NodeId> {
  const found = new Set(parameters.flatMap(({ prior }) => distributionNodes(prior)));
  const used = [
    ...nodes.flatMap(({ args }) => args),
    ...distributionNodes(likelihood.distribution),
  ];
  for (const id of used) found.delete(id);
  return found;
}

/** A location over its scale beyond which a prior is a constant in disguise. */
const narrowest = 100;

/**
 * Scales of priors that fix more than two digits of their location: they stay, for a wider prior
 * around the mode that is there would make the digits look needless.
 */
function scalesOfNarrowPriors({ nodes, parameters }: CheckedProgram): Set<NodeId> {
  const largest = (id: NodeId) => {
    const node = nodes[id];
    return node.kind === "constant" ? Math.max(...node.values.map(Math.abs)) : NaN;
  };
  return new Set(parameters.flatMap(({ prior: { family, args } }) => {
    const at = families[family].location;
    const [location, scale] = at === undefined ? [] : [args[at], args[at + 1]];
    if (location === undefined || scale === undefined) return [];
    return largest(location) > narrowest * largest(scale) ? [scale] : [];
  }));
}
