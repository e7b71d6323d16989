/** Values that an expression of a program can have while it is checked. */
import type { NodeId } from "../ir/node.ts";
import type { Distribution } from "../ir/program.ts";
import type { ResponseTransform } from "../ir/response_transform.ts";
import type { Place } from "../syntax/source.ts";
import type { Scope } from "./scope.ts";
import type { Expression, FunctionParameter, Statement } from "../syntax/tree.ts";

/** NumPy's kinds of numbers, from narrow to wide. */
export type Dtype = "bool" | "int" | "float";

/** Library whose rules a number follows; `tensor` is known only while sampling. */
export type Origin = "python" | "numpy" | "series" | "tensor";

/** A number or an array of numbers: a node of the graph. */
export interface NumericValue {
  readonly kind: "numeric";
  readonly node: NodeId;
  readonly dtype: Dtype;
  readonly origin: Origin;
  /** Of an array that elements may be assigned to, until it is read. */
  readonly filling?: { open: boolean };
  /** Rows that lack a value, above 0: numbers once the program has filled them. */
  readonly gaps?: Float64Array;
  /** Words that its codes stand for. */
  readonly labels?: readonly string[];
  /** The words in the order that the program gave its categories, including words that no row has. */
  readonly levels?: readonly string[];
  /** Of a column of pandas that a group or an index names: the columns of keys, and its own name. */
  readonly keyed?: { readonly keys: ReadonlyMap<string, NumericValue>; readonly name: string };
  /** The accessor that a column was reached by, `.str` or `.dt`: methods of each word, parts of each date. */
  readonly accessor?: "str" | "dt";
  /** Whether its numbers are days since 1970, or days between two dates: no numbers before `.dt` selects some. */
  readonly dated?: "date" | "span";
}

/** Modules by the role that they play; `other` ones are imported and never looked into. */
export type ModuleName =
  | "pm"
  | "pm.math"
  | "pm.transforms"
  | "pm.gp"
  | "pm.gp.cov"
  | "pm.gp.mean"
  | "np"
  | "np.linalg"
  | "np.random"
  | "math"
  | "pt"
  | "pt.linalg"
  | "pt.special"
  | "special"
  | "stats"
  | "pd"
  | "pytensor"
  | "patsy"
  | "sklearn"
  | "other";

/** A list or a tuple; lists are shared by reference, as in Python. */
export interface SequenceValue {
  readonly kind: "sequence";
  readonly form: "list" | "tuple";
  readonly items: Value[];
}

/** A dictionary with strings or numbers as keys. */
interface DictionaryValue {
  readonly kind: "dictionary";
  readonly entries: Map<string | number, Value>;
}

/** A function of the program: `def` or `lambda`, inlined where it is called. */
export interface FunctionValue {
  readonly kind: "function";
  readonly name: string;
  readonly parameters: readonly FunctionParameter[];
  /** Values of defaults, evaluated where the function was defined. */
  readonly defaults: ReadonlyMap<string, Value>;
  readonly body: readonly Statement[] | Expression;
  readonly scope: Scope<Value>;
}

/** A function of a module, or of Python itself. */
export interface BuiltinValue {
  readonly kind: "builtin";
  readonly module: ModuleName | "python";
  readonly name: string;
}

/** A method of a value, before it is called. */
export interface MethodValue {
  readonly kind: "method";
  readonly object: Value;
  readonly name: string;
}

/** Columns by name, each with a value for every row. */
export interface FrameValue {
  readonly kind: "frame";
  readonly columns: Map<string, Value>;
  /** The column that names its rows, after `set_index`. */
  readonly index?: readonly [string, Value];
  /** How many rows it has, if they are not those of the data. */
  readonly rows?: number;
}

/** Rows in groups, before something is computed of a column within each: `df.groupby("g")["x"]`. */
export interface GroupedValue {
  readonly kind: "grouped";
  /** The group 0, 1, … of every row, in the order of the groups' keys. */
  readonly codes: Float64Array;
  readonly groups: number;
  /** The columns that name the groups, one value for each. */
  readonly keys: ReadonlyMap<string, NumericValue>;
  /** Whether these become columns of what is computed, `as_index=False`. */
  readonly isFlat: boolean;
  readonly frame: FrameValue;
  /** The column, once it was named, and its name. */
  readonly of?: Value;
  readonly name?: string;
}

/** A thing of a library that is no number: a covariance function, a Gaussian process. */
export interface ObjectValue {
  readonly kind: "object";
  /** Description in messages: "a covariance function". */
  readonly described: string;
  /** The object of the library. */
  readonly object: object;
}

/** Value of an expression. */
export type Value =
  | NumericValue
  | SequenceValue
  | DictionaryValue
  | FunctionValue
  | BuiltinValue
  | MethodValue
  | ObjectValue
  | FrameValue
  | GroupedValue
  | ResponseValue
  /** Anything computed from the response. */
  | DerivedValue
  /** The observed random variable. */
  | { readonly kind: "observed"; readonly name: string }
  /** `pm.Family.dist(…)`. */
  | { readonly kind: "distribution"; readonly distribution: Distribution; readonly place: Place }
  /** One of `pm.distributions.transforms`. */
  | { readonly kind: "transform"; readonly name: string; readonly bounds?: readonly NodeId[] }
  | { readonly kind: "data" }
  | { readonly kind: "model" }
  | { readonly kind: "module"; readonly module: ModuleName }
  | { readonly kind: "text"; readonly value: string }
  | SliceValue
  | { readonly kind: "ellipsis" }
  | { readonly kind: "none" }
  /** Results and arguments of inference, which are never read. */
  | { readonly kind: "ignored"; readonly of?: string }
  /** An error has been reported already. */
  | { readonly kind: "invalid" };

/** `start:stop:step` in a subscript; undefined parts are left out. */
interface SliceValue {
  readonly kind: "slice";
  readonly parts: readonly (number | undefined)[];
}

/** The response column, whole or from a row on: as it is, or an invertible function of each value. */
export interface ResponseValue {
  readonly kind: "response";
  /** The first row of it; 0 if absent, and only above it where rows follow each other in time. */
  readonly from?: number;
  /** Functions that were applied to it. */
  readonly transform?: ResponseTransform;
  /** Whether statistics of the response are among the numbers of these. */
  readonly byStatistics?: boolean;
  /** Whether the program said the order of its levels, as the data have it. */
  readonly isOrdered?: boolean;
  /** Whether it is an array of NumPy, whose deviation divides by n, and no column of a frame. */
  readonly isArray?: boolean;
}

/** A number made of statistics of the response. */
export interface Statistic {
  readonly number: number;
  /** Standard deviation of the values that it was computed from. */
  readonly spread: number;
}

/** A value computed from the response; reported once, where it is used or at the end. */
export interface DerivedValue {
  readonly kind: "derived";
  readonly place: Place;
  reported: boolean;
  /** Whether it was printed, or stood alone for a notebook to show: no fault if nothing else is made of it. */
  isShown?: boolean;
  /** Part of the response was taken: where rows follow each other in time, that may be a predictor. */
  isPart?: boolean;
  /** The number that it is, if it was made of statistics that may be numbers. */
  statistic?: Statistic;
}

/** An error has been reported. */
export const invalid: Value = { kind: "invalid" };
/** A value that is never read. */
export const ignored: Value = { kind: "ignored" };
/** Python's None. */
export const none: Value = { kind: "none" };

const descriptions: Readonly<Record<Value["kind"], string>> = {
  numeric: "a number",
  sequence: "a list",
  dictionary: "a dictionary",
  function: "a function",
  builtin: "a function",
  method: "a method",
  response: "the response",
  derived: "a value computed from the response",
  observed: "the observed variable",
  distribution: "a distribution",
  transform: "a transform",
  data: "the data set",
  frame: "a data frame",
  grouped: "rows in groups",
  model: "the model",
  module: "a module",
  text: "a string",
  slice: "a slice",
  ellipsis: "`...`",
  none: "None",
  ignored: "the result of inference",
  object: "an object",
  invalid: "an error",
};

/** A value in the words of a message. */
export function describeValue(value: Value): string {
  if (value.kind === "object") return value.described;
  if (value.kind === "ignored" && value.of) return `the result of ${value.of}`;
  return value.kind === "sequence" ? `a ${value.form}` : descriptions[value.kind];
}

/** Whether an index is `:`. */
export function isWhole(index: Value): boolean {
  return index.kind === "slice" && index.parts.every((part) => part === undefined);
}

/** Whether a value is the response or carries something of it. */
export function touchesResponse(value: Value): boolean {
  return value.kind === "response" || value.kind === "derived" || value.kind === "observed";
}

/** Ends the filling of an array that has been read: its reader might see it change. */
export function closeFilling(value: Value): void {
  if (value.kind === "numeric" && value.filling) value.filling.open = false;
}

/** Why a body ended before its last statement. */
export type End =
  | { readonly kind: "return"; readonly value: Value }
  | { readonly kind: "break" | "continue" };
