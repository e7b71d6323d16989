/** What an expression of a program can stand for while it is checked. */
import type { NodeId } from "./graph.ts";
import type { Place } from "./source.ts";

/** A number or a column of numbers: a node of the graph. */
export interface NumericValue {
  readonly kind: "numeric";
  readonly node: NodeId;
  /** Known before sampling: Python numbers and NumPy arrays, not tensors of PyMC. */
  readonly host: boolean;
}

export type ModuleName = "pm" | "pm.math" | "np" | "math" | "pt" | "other";

export type Value =
  | NumericValue
  /** The response column, whole and unchanged. */
  | { readonly kind: "response" }
  /** Anything computed from the response. */
  | DerivedValue
  /** The observed random variable. */
  | { readonly kind: "observed"; readonly name: string }
  | { readonly kind: "data" }
  | { readonly kind: "model" }
  | { readonly kind: "module"; readonly module: ModuleName }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "none" }
  | { readonly kind: "boolean" }
  | { readonly kind: "sequence" }
  /** What inference returns, and what it is given: never looked at. */
  | { readonly kind: "ignored" }
  /** An error has been reported already. */
  | { readonly kind: "invalid" };

/** A value computed from the response; reported once, where it is used or at the end. */
export interface DerivedValue {
  readonly kind: "derived";
  readonly place: Place;
  reported: boolean;
}

export const invalid: Value = { kind: "invalid" };
export const ignored: Value = { kind: "ignored" };

const descriptions: Readonly<Record<Value["kind"], string>> = {
  numeric: "a number",
  response: "the response",
  derived: "a value computed from the response",
  observed: "the observed variable",
  data: "the data set",
  model: "the model",
  module: "a module",
  text: "a string",
  none: "None",
  boolean: "True or False",
  sequence: "a list",
  ignored: "the result of inference",
  invalid: "an error",
};

/** A value in the words of a message. */
export function describeValue(value: Value): string {
  return descriptions[value.kind];
}
