/** State of a program's check: names, nodes, findings so far. */
import { type Column, type Dataset, responseColumn } from "../../../base/dataset.ts";
import { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import type { Shape } from "../ir/shape.ts";
import { Findings } from "./findings.ts";
import { limits } from "../syntax/limits.ts";
import { Scope } from "./scope.ts";
import { type Place, type Source, SyntaxFailure } from "../syntax/source.ts";
import type {
  Attribute,
  Call,
  Expression,
  FunctionDefinition,
  Statement,
  Subscript,
  WithStatement,
} from "../syntax/tree.ts";
import {
  type BuiltinValue,
  type DerivedValue,
  type End,
  invalid,
  type NumericValue,
  type ObjectValue,
  type Value,
} from "./values.ts";

/** A place with the brackets that open before it and close within it. */
function balanced(source: Source, { start, end }: Place): Place {
  const text = source.slice({ start, end });
  const lost = text.replace(/[^)]/g, "").length - text.replace(/[^(]/g, "").length;
  let at = start;
  for (let open = 0; open < lost && at > 0; open++) {
    while (at > 0 && source.slice({ start: at - 1, end: at }) === " ") at--;
    if (at === 0 || source.slice({ start: at - 1, end: at }) !== "(") return { start, end };
    at--;
  }
  return { start: at, end };
}

/** Values that a variable known only while sampling can have: whole numbers from `lower` on. */
export interface Codes {
  readonly lower: number;
  readonly count: number;
}

/**
 * The state of one check, and the doors to what a check needs beside it: the abstract methods lead
 * to expressions and statements, which call one another without end, and to the libraries.
 */
export abstract class Checking {
  readonly findings: Findings;
  readonly graph: GraphBuilder;
  readonly response: Column | undefined;
  /** Columns in use, by name. */
  readonly columns: ReadonlyMap<string, Column>;
  /** Names of the whole program. */
  readonly globals = new Scope<Value>();
  /** Names of the function that is being checked, or of the whole program. */
  scope: Scope<Value> = this.globals;
  readonly derived: DerivedValue[] = [];
  /** Something was refused that may have held the model or the likelihood. */
  excused = false;
  /** Whether the data are a frame of pandas, as in `gen_model`, and not a dictionary of arrays. */
  frame = false;
  /** Whether the program read a file, so that its words are words and no codes. */
  readsFile = false;
  /** The column that names the rows of the data, where the program read them so. */
  rowNames: NumericValue | undefined = undefined;
  /** Where rows were sorted that the data have in another order, so that their order has no meaning. */
  sortedAt: Place | undefined = undefined;
  /** Whether a column of the data has been read. */
  hasReadColumns = false;
  /** Columns that the program adds to the data under new names. */
  readonly added = new Map<string, Value>();
  /** Calls of the program's functions that are open. */
  calls = 0;
  readonly #begun: { readonly nodes: number; readonly place: Place }[] = [];
  #steps = 0;
  #elements = 0;
  #matrixWork = 0;
  #items = 0;

  /** @param isTimed whether rows follow each other in time, so that earlier ones may predict later ones. */
  constructor(
    readonly source: Source,
    readonly dataset: Dataset,
    readonly isTimed: boolean = false,
  ) {
    this.findings = new Findings(source);
    this.response = responseColumn(dataset);
    this.columns = new Map(dataset.columns.map((column) => [column.name, column]));
    this.graph = new GraphBuilder(
      (name) => this.columns.get(name)?.values,
      isTimed ? this.response?.name : undefined,
    );
    this.globals.set("pm", { kind: "module", module: "pm" });
    this.globals.set("np", { kind: "module", module: "np" });
    this.globals.set("data", { kind: "data" });
    this.globals.set("__name__", { kind: "text", value: "__main__" });
  }

  /** The value of an expression; errors are reported and become `invalid`. */
  abstract evaluate(e: Expression): Value;

  /** Checks statements in order, up to what ends the body. */
  abstract run(body: readonly Statement[]): End | undefined;

  /** `with context:`. */
  abstract enter(s: WithStatement): End | undefined;

  /** `def name(…):`. */
  abstract define(s: FunctionDefinition): void;

  /** `module.name(…)`. */
  abstract callLibrary(call: Call, builtin: BuiltinValue): Value;

  /** `object.method(…)` of an array, a model, a name of a module, or an object of a library. */
  abstract libraryMethod(
    call: Call,
    object: Extract<Value, { kind: "numeric" | "model" | "builtin" | "object" }>,
    name: string,
  ): Value;

  /** `module.name.attribute`, `object.attribute`. */
  abstract libraryMember(e: Attribute, object: BuiltinValue | ObjectValue): Value;

  /** `object(…)`, for an object of a library. */
  abstract callObject(call: Call, object: ObjectValue): Value;

  /** `left + right`, `left * right` and the like, of which one at least is an object of a library. */
  abstract objectOperator(op: string, left: Value, right: Value, place: Place): Value;

  /** `array.attribute` that a library adds to arrays; undefined if it adds none of this name. */
  abstract arrayAttribute(e: Attribute, array: NumericValue): Value | undefined;

  /** `model[index]`, `module.name[index]`; undefined if that has no parts. */
  abstract libraryPart(e: Subscript, object: Value, index: Value): Value | undefined;

  /** The values of a node that is a discrete variable which may index an axis of this length. */
  abstract codesOf(node: NodeId, extent: number): Codes | undefined;

  /** The value of an expression; an array under a name may be filled on. */
  peek(e: Expression): Value {
    if (e.kind !== "name") return this.evaluate(e);
    const known = this.scope.get(e.id);
    return known?.kind === "numeric" ? known : this.evaluate(e);
  }

  /** Reports an error; the value that comes of it reports nothing more. */
  error(code: string, message: string, place: Place, hint?: string): Value {
    this.findings.error(code, message, place, hint);
    return invalid;
  }

  /** A value that was computed from the response; reported where it is used. */
  derive(place: Place, ...from: readonly Value[]): DerivedValue {
    for (const value of from) if (value.kind === "derived") value.reported = true;
    const isPart = from.some((value) => value.kind === "derived" && value.isPart);
    const value: DerivedValue = {
      kind: "derived",
      place,
      reported: false,
      ...(isPart && { isPart }),
    };
    this.derived.push(value);
    return value;
  }

  /** Part of the response, which only rows that follow each other in time may have as a predictor. */
  derivePart(place: Place, ...from: readonly Value[]): Value {
    const value = this.derive(place, ...from);
    value.isPart = true;
    return value;
  }

  /** Reports that the response, or a value made of it, is used outside of `observed=`. */
  refuseResponse(value: Value, place: Place): Value {
    if (value.kind === "derived") {
      if (value.reported) return invalid;
      value.reported = true;
    }
    const name = this.response?.name ?? "the response";
    const message = `Cannot use "${name}" here: the response may only be observed`;
    const hint = `write observed=data["${name}"] in the likelihood and leave the response out of ` +
      "everything else" + this.#limitMend(name) + this.#timeMend(value, name);
    return this.error("lh/protected-use-before-score", message, place, hint);
  }

  #limitMend(name: string): string {
    if (!/\.Censored\s*\(/.test(this.source.text)) return "";
    return `; bounds of censored rows are a column of limits, upper=data["${name}_limit"]: "${name}" where ` +
      "it is censored, and a larger number elsewhere";
  }

  #timeMend(value: Value, name: string): string {
    if (this.isTimed) return `, but for earlier rows, written as ${name}[:-1]`;
    if (value.kind !== "derived" || !value.isPart) return "";
    return '; where rows follow each other in time, time = "column" in the target (--time column) ' +
      "lets earlier rows of it predict later ones";
  }

  /** Notes that a statement begins: nodes added from here on are attributed to it. */
  begin(place: Place): void {
    this.#begun.push({ nodes: this.graph.nodes.length, place });
  }

  /** The statement that made a node. */
  placeOf(node: NodeId): Place | undefined {
    return this.#begun.findLast(({ nodes }) => nodes <= node)?.place;
  }

  /** Counts one step of evaluation. @throws SyntaxFailure, when there are too many. */
  step(place: Place): void {
    if (++this.#steps <= limits.steps) return;
    this.stop("unrolling", `more than ${limits.steps} steps of loops and calls`, place);
  }

  /** Counts items of lists, which a step may have many of. @throws SyntaxFailure, when there are too many. */
  collect(items: number, place: Place): void {
    this.#items += items;
    if (this.#items <= limits.listItems) return;
    this.stop("list-size", `lists of more than ${limits.listItems} items`, place);
  }

  /** Counts axes of one array. @throws SyntaxFailure, when there are too many. */
  checkAxes(axes: number, place: Place): void {
    if (axes <= limits.axes) return;
    this.stop("axes", `an array of more than ${limits.axes} axes`, place);
  }

  /** Counts elements of an array. @throws SyntaxFailure, when there are too many. */
  allocate(size: number, place: Place): void {
    this.#elements += size;
    if (size > Math.max(limits.arrayElements, 64 * this.dataset.rows)) {
      this.stop("array-size", `an array of more than ${limits.arrayElements} elements`, place);
    }
    if (this.#elements > limits.totalElements + 1024 * this.dataset.rows) {
      this.stop("array-size", `arrays of more than ${limits.totalElements} elements`, place);
    }
    if (this.graph.nodes.length > limits.graphNodes) {
      this.stop("graph-size", `a graph of more than ${limits.graphNodes} operations`, place);
    }
  }

  /** Counts what products, factors and inverses of matrices multiply; data with more rows may have more. */
  multiply(count: number, place: Place): void {
    this.#matrixWork += count;
    if (this.#matrixWork > limits.matrixWork + 100_000 * this.dataset.rows) {
      const what = `more than ${limits.matrixWork} multiplications in products of matrices`;
      this.stop("matrix-work", what, place);
    }
  }

  /** Ends the check: a counted limit has been passed. */
  stop(code: string, what: string, place: Place): never {
    const hint = "write the model with arrays instead of loops, or make it smaller";
    throw new SyntaxFailure(`limit/${code}`, `Cannot check the program: ${what}`, place, hint);
  }

  /** Shape of the response. */
  get responseShape(): Shape {
    return this.response?.shape ?? [this.dataset.rows];
  }

  /** Text of a place, cut to a length that a message can carry. */
  text(place: Place): string {
    const text = this.source.slice(balanced(this.source, place)).replace(/\s+/g, " ");
    return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
  }
}
