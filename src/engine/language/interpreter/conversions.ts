/** Arrays under another type or a larger shape. */
import { broadcastShapes, describeShape, type Shape, sizeOf } from "../ir/shape.ts";
import { applyMap, type CallSite, fold, hostArray, pythonNumber, shapeOf } from "./arrays.ts";
import type { NumericValue, Value } from "./values.ts";

/** The array repeated along new or unit axes. */
export function broadcastTo(
  site: CallSite,
  x: NumericValue,
  shape: Shape,
): NumericValue | undefined {
  const { checking, place } = site;
  const from = shapeOf(checking, x);
  if (`${broadcastShapes(from, shape)}` !== `${shape}`) {
    const message = `Cannot broadcast ${describeShape(from)} to ${describeShape(shape)}`;
    return void checking.error("shapes/broadcast", message, place);
  }
  checking.allocate(sizeOf(shape), place);
  const origin = x.origin === "tensor" ? "tensor" : "numpy";
  return fold(checking, { ...x, origin, node: checking.graph.broadcast(x.node, shape) });
}

/** Categories in the order of the alphabet, where the labels of the codes are these and no others. */
function levelsOf({ checking }: CallSite, x: NumericValue, labels: readonly string[]) {
  const found = new Set(checking.graph.valueOf(x.node)?.values).size;
  const isSorted = labels.every((one, k) => k === 0 || labels[k - 1] < one);
  return found === labels.length && isSorted ? { levels: labels } : {};
}

/** Words as the numbers that they spell; an error where one spells none. */
function castWords(
  { checking, place }: CallSite,
  x: NumericValue,
  labels: readonly string[],
  kind: string,
): NumericValue | undefined {
  const pattern = kind === "int"
    ? /^\s*[+-]?\d+\s*$/
    : /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;
  const known = checking.graph.valueOf(x.node);
  const areFlags = labels.every((one) => /^(true|false)$/i.test(one)); // pandas reads them as bool
  const other = known && [...known.values].find((code) => !areFlags && !pattern.test(labels[code]));
  if (!known || other !== undefined || (!areFlags && kind.startsWith("bool"))) {
    const found = other === undefined ? "words" : `"${labels[other]}"`;
    const message = `Cannot convert words to ${kind}: wanted numbers, found ${found}`;
    const hint = "codes of words are pd.Categorical(x).codes";
    return void checking.error("names/wrong-kind", message, place, hint);
  }
  const numbers = labels.map((one) => areFlags ? (/true/i.test(one) ? 1 : 0) : Number(one));
  const values = known.values.map((code) => numbers[code]);
  const dtype = kind.startsWith("bool") ? "bool" : kind === "int" ? "int" : "float";
  return { ...hostArray(checking, values, known.shape, dtype, place), origin: x.origin };
}

/** `.astype(int)`: truncates towards zero; `float` and `bool` likewise. */
export function castArray(site: CallSite, x: NumericValue, type: Value): NumericValue | undefined {
  const name = type.kind === "text" ? type.value : type.kind === "builtin" ? type.name : "";
  const kind = /^u?int/.test(name) ? "int" : /^(float|double)/.test(name) ? "float" : name;
  if (x.labels && site.checking.readsFile && ["int", "float", "bool", "bool_"].includes(kind)) {
    return castWords(site, x, x.labels, kind);
  }
  const { labels: _, ...numbers } = x;
  if (kind === "float" || kind === "floatX") return { ...numbers, dtype: "float" };
  if (kind === "bool" || kind === "bool_") {
    const zero = pythonNumber(site.checking, 0, "int");
    return applyMap(site.checking, "ne", [x, zero], site.place, "bool");
  }
  if (kind === "category" && x.labels && !x.levels) return { ...x, ...levelsOf(site, x, x.labels) };
  if (kind === "str" || kind === "category" || kind === "object") return x;
  if (kind !== "int") {
    const message = "Cannot convert an array to this type: wanted int, float or bool";
    return void site.checking.error("names/wrong-kind", message, site.place);
  }
  const known = site.checking.graph.valueOf(x.node);
  const bits = /^(u?)int(8|16)$/.exec(name);
  if (bits) {
    const top = 2 ** (Number(bits[2]) - (bits[1] ? 0 : 1));
    // Squares fit as well: products are what turns over where the numbers themselves do not.
    const fits = known?.values.every((one) => one * one < top && (one >= 0 || !bits[1]));
    const message = `Cannot convert an array to ${name}: numbers of so few bits turn over`;
    if (!fits) {
      return void site.checking.error("names/wrong-kind", message, site.place, "write int");
    }
  }
  if (known?.values.every(Number.isInteger)) return { ...numbers, dtype: "int" };
  const { checking, place } = site;
  const size = applyMap(checking, "abs", [x], place, "float");
  const down = size && applyMap(checking, "floor", [size], place, "float");
  const sign = down && applyMap(checking, "sign", [x], place, "float");
  return sign && applyMap(checking, "mul", [down, sign], place, "int");
}
