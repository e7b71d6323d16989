/** Reads `sklearn.preprocessing` as models use it: scaled columns, codes of words. */
import { hostArray, numeric, shapeOf } from "../interpreter/arrays.ts";
import { type Arguments, evaluateArguments } from "../interpreter/bind.ts";
import type { Checking } from "../interpreter/checking.ts";
import { columnValue } from "../interpreter/columns.ts";
import { operatedResponse } from "../interpreter/response_transforms.ts";
import { statisticOf } from "../interpreter/response_statistics.ts";
import type { Attribute, Call } from "../syntax/tree.ts";
import {
  type FrameValue,
  invalid,
  type ObjectValue,
  type ResponseValue,
  touchesResponse,
  type Value,
} from "../interpreter/values.ts";
import { keysIn } from "../interpreter/keyed_columns.ts";
import { wordColumn, wordsIn } from "../interpreter/words.ts";
import { factorize, isAlphabetical } from "./pandas.ts";

type Scaled = "StandardScaler" | "MinMaxScaler";

/** A scaler or an encoder, with what it was fitted to. */
export class Preprocessor {
  /** Shift and scale of each column. */
  fitted: readonly (readonly [number, number])[] | undefined = undefined;
  /** Different values of an encoder, in order. */
  classes: Value | undefined = undefined;

  constructor(readonly name: Scaled | "LabelEncoder") {}
}

const known = new Set(["StandardScaler", "MinMaxScaler", "LabelEncoder"]);

/** `StandardScaler()`; of scikit-learn nothing else is read. */
export function callPreprocessing(checking: Checking, call: Call, name: string): Value {
  if (name === "train_test_split") {
    const message = "Cannot leave rows out: every row of the data is scored";
    const hint = "leave the split out: each row is predicted from the others already";
    return checking.error("lh/rows-left-out", message, call, hint);
  }
  if (known.has(name) && call.arguments.length === 0) {
    const object = new Preprocessor(name as Scaled);
    return { kind: "object", described: `a ${name}`, object };
  }
  const message = `Cannot call ${checking.text(call.callee)}: not in the subset`;
  const hint = `of scikit-learn, ${[...known].join(", ")} are read; add what others compute to ` +
    "the data as columns";
  return checking.error("unsupported/function", message, call, hint);
}

/** `scaler.fit_transform(X)`, `encoder.fit(x)`, `scaler.transform(X)`. */
export function callPreprocessor(
  checking: Checking,
  call: Call,
  { object }: ObjectValue,
  name: string,
): Value {
  const own = object as Preprocessor;
  const args = evaluateArguments(checking, call);
  if (!args) return invalid;
  const given = args.positional[0]?.value;
  if (!given || given.kind === "ignored") return given ?? invalid;
  const isFit = name === "fit" || name === "fit_transform";
  if (isFit || (name === "transform" && (own.fitted || own.classes))) {
    const made = own.name === "LabelEncoder"
      ? isFit ? encoded(checking, args, own, given) : encodedAs(checking, args, own, given)
      : scaled(checking, args, own, given, isFit);
    if (made) return name === "fit" ? { kind: "object", described: own.name, object: own } : made;
  }
  const message = `Cannot call ${checking.text(call.callee)}: wanted .fit_transform of columns`;
  return checking.error("unsupported/function", message, call);
}

/** Codes of words or numbers in their order; those of a response as `pd.Categorical` gives them. */
function encoded(
  checking: Checking,
  { call }: Arguments,
  own: Preprocessor,
  given: Value,
): Value | undefined {
  if (given.kind === "response") {
    const names = checking.response?.categories;
    if (!names || !isAlphabetical(names)) return checking.derive(call, given);
    const items = names.map((value): Value => ({ kind: "text", value }));
    own.classes = { kind: "sequence", form: "list", items };
    return given;
  }
  const x = numeric(checking, given, call, own.name);
  const words = x?.levels && wordsIn(checking, x);
  const plain = words ? wordColumn(checking, words, call) : x;
  const pair = plain && factorize(checking, call, plain, true);
  if (pair?.kind !== "sequence") return pair ?? invalid;
  own.classes = pair.items[1];
  return pair.items[0];
}

/** Codes by the values that an encoder was fitted to; undefined where one is not among them. */
function encodedAs(
  checking: Checking,
  { call }: Arguments,
  { classes }: Preprocessor,
  given: Value,
): Value | undefined {
  if (touchesResponse(given)) {
    const names = classes && wordsIn(checking, classes);
    const isOwn = given.kind === "response" && names &&
      `${names}` === `${checking.response?.categories}`;
    return isOwn ? given : checking.derive(call, given);
  }
  const x = numeric(checking, given, call, "LabelEncoder");
  const keys = x && keysIn(checking, x);
  const own = keysIn(checking, classes);
  const codes = own && keys?.map((key) => own.indexOf(key));
  if (!codes || codes.some((code) => code < 0)) return undefined;
  return hostArray(checking, Float64Array.from(codes), [codes.length], "int", call);
}

/** The response, where it is the one column that is scaled: by its own statistics, which are numbers. */
function responseAlone(given: Value): ResponseValue | undefined {
  if (given.kind === "response") return given;
  if (given.kind !== "frame" || given.columns.size !== 1) return undefined;
  const [column] = given.columns.values();
  return column.kind === "response" ? column : undefined;
}

function scaled(
  checking: Checking,
  { call }: Arguments,
  own: Preprocessor,
  given: Value,
  isFit: boolean,
): Value | undefined {
  const response = responseAlone(given);
  if (response) return isFit ? scaledResponse(checking, call, own, response) : undefined;
  const frame: FrameValue | undefined = given.kind === "frame" ? given : undefined;
  if (frame && [...frame.columns.values()].some(touchesResponse)) {
    return checking.derive(call, ...frame.columns.values());
  }
  if (touchesResponse(given)) return checking.derive(call, given);
  const x = numeric(checking, given, call, own.name);
  if (!x) return invalid;
  const found = checking.graph.valueOf(x.node);
  const shape = shapeOf(checking, x);
  if (!found || shape.length !== 2) return undefined;
  const [rows, width] = shape;
  const column = (k: number) =>
    Float64Array.from({ length: rows }, (_, i) => found.values[i * width + k]);
  if (isFit) own.fitted = Array.from({ length: width }, (_, k) => fit(own, column(k).sort()));
  const { fitted } = own;
  if (!fitted || fitted.length !== width) return undefined;
  const values = found.values.map((one, i) => (one - fitted[i % width][0]) / fitted[i % width][1]);
  return hostArray(checking, values, shape, "float", call);
}

/** Shift and scale of values in rising order, so that rounding does not depend on the order of rows. */
function fit({ name }: Preprocessor, sorted: Float64Array): readonly [number, number] {
  const [least, most] = [sorted[0], sorted[sorted.length - 1]];
  if (name === "MinMaxScaler") return [least, most - least || 1];
  const mean = sorted.reduce((sum, one) => sum + one, 0) / sorted.length;
  const squares = sorted.reduce((sum, one) => sum + (one - mean) * (one - mean), 0);
  return [mean, Math.sqrt(squares / sorted.length) || 1];
}

/** (y − mean) / sd, (y − min) / (max − min), in steps that have a Jacobian. */
export function scaledResponse(
  checking: Checking,
  call: Call,
  { name }: { readonly name: string },
  response: ResponseValue,
  ddof = 0,
): Value {
  const at = (what: string, own: ResponseValue) => statisticOf(checking, own, what, ddof, call);
  const isRange = name === "MinMaxScaler";
  const shift = at(isRange ? "min" : "mean", response);
  const moved = shift && operatedResponse(checking, "-", response, shift);
  const scale = moved && at(isRange ? "max" : "std", moved);
  return scale && moved && operatedResponse(checking, "/", moved, scale) ||
    checking.derive(call, response);
}

/** `encoder.classes_`. */
export function preprocessorMember(
  checking: Checking,
  e: Attribute,
  value: ObjectValue,
): Value {
  const { classes, fitted } = value.object as Preprocessor;
  const name = e.name.id;
  if (name === "classes_" && classes) return classes;
  const at = name === "mean_" ? 0 : name === "scale_" ? 1 : undefined;
  if (at === undefined || !fitted) return { kind: "method", object: value, name };
  const values = Float64Array.from(fitted, (pair) => pair[at]);
  return hostArray(checking, values, [values.length], "float", e);
}

/** `np.loadtxt(file, delimiter=",", skiprows=1)`: the data as a matrix, columns of it with `unpack=True`. */
export function loadedText(checking: Checking, call: Call, name: string): Value {
  checking.frame = true;
  const message = `np.${name} reads no file: the data that the host was given stand for it`;
  checking.findings.note("notes/data-of-the-host", message, call.callee);
  const names = new Set(call.arguments.flatMap(({ keyword }) => keyword ? [keyword.id] : []));
  if (names.has("usecols") || names.has("names")) {
    const refused = `Cannot call np.${name} with usecols= or names=`;
    const hint = 'write pd.read_csv(…), and columns by name, df["x"]';
    return checking.error("unsupported/function", refused, call, hint);
  }
  const own = [...checking.columns.values()].filter(({ role, shape }) =>
    role !== "ignore" && !shape
  );
  const columns = new Map(
    own.map((one) => [one.name, columnValue(checking, one.name, call, call)]),
  );
  if (!names.has("unpack")) {
    return columns.size === 1 ? columns.values().next().value! : { kind: "frame", columns };
  }
  return { kind: "sequence", form: "tuple", items: [...columns.values()] };
}
