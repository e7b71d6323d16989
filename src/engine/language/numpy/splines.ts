/** Designs of splines as patsy writes them: `dmatrix("bs(x, knots=…, degree=3) - 1", …)`. */
import { hostArray, numeric } from "../interpreter/arrays.ts";
import { type Arguments, carriesResponse, evaluateArguments } from "../interpreter/bind.ts";
import type { Checking } from "../interpreter/checking.ts";
import { wholeFrame } from "../interpreter/columns.ts";
import { designOf } from "./formulas.ts";
import type { Call } from "../syntax/tree.ts";
import { invalid, type Value } from "../interpreter/values.ts";

/** The one formula that is read. */
const formula = /^(?:0\s*\+\s*)?bs\(\s*(\w+)\s*,([^()]*)\)\s*(?:-\s*1|\+\s*0)?$/;
const keyword = /^\s*(knots|df|degree|include_intercept)\s*=\s*([\w.]+)\s*$/;

/** A basis as a formula gives it. */
interface Basis {
  readonly x: string;
  readonly options: ReadonlyMap<string, string>;
  /** Whether a column of ones stands before it. */
  readonly intercept: boolean;
}

function basisOf(text: string): Basis | undefined {
  const [whole, x, rest] = formula.exec(text.trim()) ?? [];
  if (whole === undefined) return undefined;
  const parts = rest.split(",").map((part) => keyword.exec(part));
  if (parts.some((part) => !part)) return undefined;
  const options = new Map(parts.map((part) => [part![1], part![2]]));
  return { x, options, intercept: !/^0\s*\+|-\s*1$|\+\s*0$/.test(whole) };
}

/** `dmatrix(formula, data)` of one B-spline. */
export function callDesign(checking: Checking, call: Call, name: string): Value {
  const args = evaluateArguments(checking, call);
  if (!args) return invalid;
  if (name === "build_design_matrices") return { kind: "ignored", of: `patsy.${name}` };
  const [text, data] = args.positional.map(({ value }) => value);
  const basis = name === "dmatrix" && text?.kind === "text" ? basisOf(text.value) : undefined;
  if (!basis && text?.kind === "text") {
    const made = designByFormula(checking, args, name, text.value);
    if (made) return made;
  }
  if (!basis) {
    const message =
      `Cannot call patsy.${name}: of its formulas, sums and products of numbers and ` +
      "factors are read, or one bs(…)";
    const hint = "write the other columns of the design with NumPy, or add them to the data";
    return checking.error("unsupported/function", message, call, hint);
  }
  const found = entryOf(checking, call, data ?? args.keywords.get("data")?.value, basis.x);
  if (found && carriesResponse(found)) return checking.derive(call, found);
  const x = numbersAt(checking, args, found);
  const knots = x && knotsOf(checking, args, data, basis, x);
  if (!x || !knots) {
    const message =
      `Cannot call patsy.${name}: ${basis.x} or its knots are no numbers that are known`;
    return checking.error("names/wrong-kind", message, call);
  }
  return design(checking, call, x, knots, basis);
}

/** `dmatrix("x * C(g)", df)`, `dmatrices("y ~ x", df)`; undefined where the formula is not read. */
function designByFormula(
  checking: Checking,
  args: Arguments,
  name: string,
  text: string,
): Value | undefined {
  const { call, positional, keywords } = args;
  const data = positional[1]?.value ?? keywords.get("data")?.value;
  const entry = (one: string) => entryOf(checking, call, data, one);
  const sides = text.split("~");
  const right = designOf(checking, sides[sides.length - 1], entry, call);
  if (sides.length > 2 || !right) return undefined;
  if (name === "dmatrix") return right;
  const [, op, inner] =
    /^\s*(?:(?:np\.)?(log|log1p|sqrt)\()?\s*([^()]+?)\s*\)?\s*$/.exec(sides[0]) ?? [];
  const found = sides.length === 2 && inner ? entry(inner) : undefined;
  if (found?.kind !== "response") return undefined;
  const power = op === "sqrt" ? [{ kind: "power", by: 0.5 } as const] : [];
  const step = op === "log" || op === "log1p" ? [{ kind: op } as const] : power;
  const left: Value = { ...found, transform: [...found.transform ?? [], ...step], isArray: true };
  const kind = keywords.get("return_type")?.value;
  const isFrame = kind?.kind === "text" && kind.value === "dataframe";
  const y: Value = isFrame ? { kind: "frame", columns: new Map([[sides[0].trim(), left]]) } : left;
  return { kind: "sequence", form: "tuple", items: [y, right] };
}

/** A name of the formula: in the data that were given, or of the program. */
function entryOf(checking: Checking, call: Call, data: Value | undefined, name: string) {
  const own = data?.kind === "dictionary"
    ? data.entries.get(name)
    : data?.kind === "frame"
    ? data.columns.get(name)
    : data?.kind === "data"
    ? wholeFrame(checking, call).columns.get(name)
    : undefined;
  return own ?? checking.scope.get(name);
}

function numbersAt(checking: Checking, { call }: Arguments, value: Value | undefined) {
  const x = value && numeric(checking, value, call, "dmatrix");
  return x && checking.graph.valueOf(x.node)?.values;
}

/** Interior knots: as they are given, or quantiles for so many degrees of freedom. */
function knotsOf(
  checking: Checking,
  args: Arguments,
  data: Value | undefined,
  { options }: Basis,
  x: Float64Array,
): Float64Array | undefined {
  const given = options.get("knots");
  if (given) return numbersAt(checking, args, entryOf(checking, args.call, data, given));
  const df = Number(options.get("df"));
  const count = df - orderOf(options) + (options.get("include_intercept") === "True" ? 0 : 1);
  if (!(count >= 0 && Number.isInteger(count))) return undefined;
  const sorted = x.slice().sort();
  return Float64Array.from({ length: count }, (_, k) => {
    const at = (k + 1) / (count + 1) * (sorted.length - 1);
    const low = Math.floor(at);
    return sorted[low] + (at - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]);
  });
}

function orderOf(options: ReadonlyMap<string, string>): number {
  return Number(options.get("degree") ?? 3) + 1;
}

function design(
  checking: Checking,
  call: Call,
  x: Float64Array,
  interior: Float64Array,
  { options, intercept }: Basis,
): Value {
  const order = orderOf(options);
  const [low, high] = [Math.min(...x), Math.max(...x)];
  const ends = (end: number) => Array.from({ length: order }, () => end);
  const knots = [...ends(low), ...interior, ...ends(high)].sort((a, b) => a - b);
  const skipped = options.get("include_intercept") === "True" ? 0 : 1;
  const first = intercept ? 1 : 0;
  const width = knots.length - order - skipped + first;
  checking.multiply(x.length * knots.length * order, call);
  const values = new Float64Array(x.length * width).fill(1);
  x.forEach((at, row) => {
    const basis = bSplines(knots, order, at);
    for (let k = skipped; k < basis.length; k++) {
      values[row * width + k - skipped + first] = basis[k];
    }
  });
  return hostArray(checking, values, [x.length, width], "float", call);
}

/** All B-splines of an order at a point, by the recursion of Cox and de Boor (de Boor 1978). */
function bSplines(knots: readonly number[], order: number, x: number): number[] {
  const count = knots.length - order;
  let span = order - 1;
  while (span < count - 1 && x >= knots[span + 1]) span++;
  const basis = new Array(count).fill(0);
  const local = [1];
  for (let k = 1; k < order; k++) {
    const next = new Array(k + 1).fill(0);
    for (let i = 0; i < k; i++) {
      const [left, right] = [knots[span + i + 1 - k], knots[span + i + 1]];
      const share = right > left ? (x - left) / (right - left) : 0;
      next[i] += (1 - share) * local[i];
      next[i + 1] += share * local[i];
    }
    local.splice(0, local.length, ...next);
  }
  local.forEach((value, i) => basis[span - order + 1 + i] = value);
  return basis;
}
