/** What is known about a program while it is being checked. */
import { type Column, type Dataset, responseColumn } from "../base/dataset.ts";
import { Findings } from "./findings.ts";
import type { Distribution, NodeId, Parameter } from "./graph.ts";
import { GraphBuilder } from "./graph_builder.ts";
import { HostValues } from "./host_values.ts";
import type { Place, Source } from "./source.ts";
import type { FunctionDefinition } from "./tree.ts";
import { type DerivedValue, invalid, type Value } from "./values.ts";

/** The observed variable, before the graph is put into its canonical order. */
export interface Likelihood extends Distribution {
  readonly name: string;
  readonly column: string;
}

/** The state of one check. */
export class Checking {
  readonly findings: Findings;
  readonly graph = new GraphBuilder();
  readonly host: HostValues;
  readonly response: Column | undefined;
  /** Python's names; a function's body sees the names around it. */
  readonly scope = new Map<string, Value>([
    ["pm", { kind: "module", module: "pm" }],
    ["np", { kind: "module", module: "np" }],
    ["data", { kind: "data" }],
  ]);
  /** Names of variables of the model, with the place where each was given. */
  readonly variables = new Map<string, Place>();
  readonly parameters: Parameter[] = [];
  readonly parameterPlaces: Place[] = [];
  readonly deterministics: { name: string; node: NodeId }[] = [];
  readonly derived: DerivedValue[] = [];
  likelihood: Likelihood | undefined;
  /** An observed variable was written, whether or not it could be accepted. */
  observedSeen = false;
  /** Something was refused that may have held the model or the likelihood. */
  excused = false;
  modelPlace: Place | undefined;
  /** Inside a `with` block of the model. */
  inModel = false;
  /** Inside the body of `gen_model`. */
  inFunction = false;
  /** `gen_model`, once it has been met. */
  modelFunction: FunctionDefinition | undefined;

  constructor(readonly source: Source, readonly dataset: Dataset) {
    this.findings = new Findings(source);
    this.host = new HostValues(this.graph, dataset);
    this.response = responseColumn(dataset);
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
}

/** Whether a value is the response or carries something of it. */
export function touchesResponse(value: Value): boolean {
  return value.kind === "response" || value.kind === "derived" || value.kind === "observed";
}
