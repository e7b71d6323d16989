/** Calls of pandas: a file that is read is the host's data, codes of categories are arrays. */
import { hostArray, numeric } from "./arrays.ts";
import { flagArgument } from "./array_function.ts";
import { bind, evaluateArguments } from "./bind.ts";
import type { Checking } from "./checking.ts";
import { ascending, refuseRandom } from "./numpy_functions.ts";
import type { Call } from "./tree.ts";
import { invalid, type NumericValue, type SequenceValue, type Value } from "./values.ts";

const readers = new Set([
  "read_csv",
  "read_table",
  "read_json",
  "read_parquet",
  "read_excel",
  "read_feather",
]);

/** The value of `pd.name(…)`; frames that a program makes itself are not followed. */
export function callPandas(checking: Checking, call: Call, name: string): Value {
  if (readers.has(name)) return hostData(checking, call, name);
  if (name !== "factorize") return { kind: "ignored", of: `pd.${name}` };
  const args = evaluateArguments(checking, call);
  const bound = args && bind(checking, args, "pd.factorize", {
    names: ["values", "sort"],
    required: 1,
  });
  const given = bound?.get("values");
  if (!given) return invalid;
  if (given.value.kind === "ignored") return given.value;
  const x = numeric(checking, given.value, given.place, "pd.factorize");
  const site = { checking, place: call, text: "pd.factorize" };
  return x ? factorize(checking, call, x, flagArgument(site, bound!, "sort", false)) : invalid;
}

/** No file is read: the host's data stand for it. */
function hostData(checking: Checking, call: Call, name: string): Value {
  checking.frame = true;
  const message = `pd.${name} reads no file: the data that the host was given stand for it`;
  checking.findings.note("notes/data-of-the-host", message, call.callee);
  return { kind: "data" };
}

/** Codes from 0 in the order of first appearance, or of size, and the labels of the codes. */
export function factorize(
  checking: Checking,
  call: Call,
  x: NumericValue,
  sorted: boolean,
): Value {
  const found = checking.graph.valueOf(x.node);
  if (!found) {
    return refuseRandom({ checking, place: call.callee, text: checking.text(call.callee) }) ??
      invalid;
  }
  const distinct = [...new Set(found.values)];
  const order = sorted ? ascending(Float64Array.from(distinct)).map((i) => distinct[i]) : distinct;
  const codeOf = new Map(order.map((value, code) => [value, code]));
  const codes = Float64Array.from(found.values, (value) => codeOf.get(value)!);
  const items = [
    hostArray(checking, codes, found.shape, "int", call),
    labels(checking, call, x, order),
  ];
  return { kind: "sequence", form: "tuple", items };
}

/** Names, of a column of categories; otherwise the values. */
function labels(
  checking: Checking,
  call: Call,
  x: NumericValue,
  order: readonly number[],
): NumericValue | SequenceValue {
  const node = checking.graph.nodes[x.node];
  const column = node.kind === "column" ? checking.columns.get(node.column) : undefined;
  if (!column?.categories) {
    return hostArray(checking, Float64Array.from(order), [order.length], x.dtype, call);
  }
  const { categories } = column;
  const items = order.map((code): Value => ({ kind: "text", value: categories[code] }));
  return { kind: "sequence", form: "list", items };
}
