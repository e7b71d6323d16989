/** What is known about a program while it is being checked. */
import { type Column, type Dataset, responseColumn } from "../../base/dataset.ts";
import { GraphBuilder } from "../ir/builder.ts";
import type { Deterministic, Likelihood, Parameter } from "../ir/program.ts";
import type { Shape } from "../ir/shape.ts";
import type { DiscreteLatent } from "./discrete_latents.ts";
import { Findings } from "./findings.ts";
import { limits } from "../syntax/limits.ts";
import { Scope } from "./scope.ts";
import { type Place, type Source, SyntaxFailure } from "../syntax/source.ts";
import type { FunctionDefinition } from "../syntax/tree.ts";
import { type DerivedValue, invalid, type Value } from "./values.ts";

/** Labels of a named axis, or its length where the program gives no labels. */
export interface Dimension {
  readonly length: number;
  readonly labels?: readonly (string | number)[];
}

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

/** The state of one check. */
export class Checking {
  readonly findings: Findings;
  readonly graph: GraphBuilder;
  readonly response: Column | undefined;
  /** Columns in use, by name. */
  readonly columns: ReadonlyMap<string, Column>;
  /** Names of the whole program. */
  readonly globals = new Scope();
  /** Names of the function that is being checked, or of the whole program. */
  scope: Scope = this.globals;
  /** Names of variables of the model, with the place where each was given. */
  readonly variables = new Map<string, Place>();
  /** Values of the variables of the model, for `model["name"]`. */
  readonly named = new Map<string, Value>();
  readonly parameters: Parameter[] = [];
  readonly parameterPlaces: Place[] = [];
  parameterElements = 0;
  readonly deterministics: Deterministic[] = [];
  readonly derived: DerivedValue[] = [];
  /** Discrete variables that the likelihood may sum out. */
  readonly latents: DiscreteLatent[] = [];
  /** Named axes of the model. */
  readonly dimensions = new Map<string, Dimension>();
  likelihood: Likelihood | undefined;
  /** An observed variable was written, whether or not it could be accepted. */
  observedSeen = false;
  /** `observed=None`: a variable that samples from the prior. */
  priorMode: Place | undefined;
  /** Something was refused that may have held the model or the likelihood. */
  excused = false;
  modelPlace: Place | undefined;
  /** Inside a `with` block of the model. */
  inModel = false;
  /** `gen_model`, once it has been met. */
  modelFunction: FunctionDefinition | undefined;
  /** Whether the data are a frame of pandas, as in `gen_model`, and not a dictionary of arrays. */
  frame = false;
  /** Columns that the program adds to the data under new names. */
  readonly added = new Map<string, Value>();
  /** Functions that open a model and have not been called. */
  readonly uncalled = new Map<string, Place>();
  /** Calls of the program's functions that are open. */
  calls = 0;
  #steps = 0;
  #elements = 0;

  constructor(readonly source: Source, readonly dataset: Dataset) {
    this.findings = new Findings(source);
    this.response = responseColumn(dataset);
    this.columns = new Map(dataset.columns.map((column) => [column.name, column]));
    this.graph = new GraphBuilder((name) => this.columns.get(name)?.values);
    this.globals.set("pm", { kind: "module", module: "pm" });
    this.globals.set("np", { kind: "module", module: "np" });
    this.globals.set("data", { kind: "data" });
    this.globals.set("__name__", { kind: "text", value: "__main__" });
  }

  /** Reports an error; the value that comes of it reports nothing more. */
  error(code: string, message: string, place: Place, hint?: string): Value {
    this.findings.error(code, message, place, hint);
    return invalid;
  }

  /** A value that was computed from the response; reported where it is used. */
  derive(place: Place, ...from: readonly Value[]): Value {
    for (const value of from) if (value.kind === "derived") value.reported = true;
    const value: DerivedValue = { kind: "derived", place, reported: false };
    this.derived.push(value);
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
      "everything else";
    return this.error("lh/protected-use-before-score", message, place, hint);
  }

  /** Counts one step of evaluation. @throws SyntaxFailure, when there are too many. */
  step(place: Place): void {
    if (++this.#steps <= limits.steps) return;
    this.stop("unrolling", `more than ${limits.steps} steps of loops and calls`, place);
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
