/** Invertible functions of the response: `np.log(data["y"])`, `(y - 3) / 2`, as programs write them. */
import type { ResponseStep } from "../ir/response_transform.ts";
import { log } from "../../../numerics/math/mod.ts";
import type { Arguments } from "./bind.ts";
import type { Checking } from "./checking.ts";
import { numberIn, statisticOf } from "./response_statistics.ts";
import type { ModuleName, ResponseValue, Value } from "./values.ts";

/** The response with these functions applied to it. */
function withSteps(
  response: ResponseValue,
  steps: readonly ResponseStep[],
): ResponseValue {
  return { ...response, transform: [...response.transform ?? [], ...steps] };
}

/** The response with the steps that a number makes, which is written in the program or a statistic of the response. */
function withNumber(
  checking: Checking,
  response: ResponseValue,
  value: Value,
  stepsBy: (by: number) => readonly ResponseStep[] | undefined,
): ResponseValue | undefined {
  const by = numberIn(checking, value)?.number;
  const isStatistic = by !== undefined && value.kind === "derived";
  if (isStatistic) value.reported = true;
  const steps = by === undefined ? undefined : stepsBy(by);
  return steps && { ...withSteps(response, steps), ...(isStatistic && { byStatistics: true }) };
}

const add = (by: number): ResponseStep => ({ kind: "add", by });
const multiply = (by: number): ResponseStep => ({ kind: "multiply", by });
const power = (by: number): ResponseStep => ({ kind: "power", by });

/** `-y`. */
export function negatedResponse(operand: ResponseValue): ResponseValue {
  return withSteps(operand, [multiply(-1)]);
}

/** `1 - y`. */
export function lessThanOne(operand: ResponseValue): ResponseValue {
  return withSteps(operand, [multiply(-1), add(1)]);
}

/** An operator on the response and a literal number; `undefined` for everything else. */
export function operatedResponse(
  checking: Checking,
  op: string,
  left: Value,
  right: Value,
): ResponseValue | undefined {
  if (left.kind === "response") {
    return withNumber(checking, left, right, (by) => stepsAfter(op, by));
  }
  if (right.kind !== "response") return undefined;
  return withNumber(checking, right, left, (by) => stepsBefore(op, by));
}

/** y op by. */
function stepsAfter(op: string, by: number): readonly ResponseStep[] | undefined {
  switch (op) {
    case "+":
      return [add(by)];
    case "-":
      return [add(-by)];
    case "*":
      return by === 0 ? undefined : [multiply(by)];
    case "/":
      return by === 0 ? undefined : [multiply(1 / by)];
    case "**":
      return by === 0 ? undefined : [power(by)];
    default:
      return undefined;
  }
}

/** by op y. */
function stepsBefore(op: string, by: number): readonly ResponseStep[] | undefined {
  switch (op) {
    case "+":
      return [add(by)];
    case "-":
      return [multiply(-1), add(by)];
    case "*":
      return by === 0 ? undefined : [multiply(by)];
    case "/":
      return by === 0 ? undefined : [{ kind: "reciprocal" }, multiply(by)];
    case "**":
      return by > 0 && by !== 1 ? [multiply(log(by)), { kind: "exp" }] : undefined;
    default:
      return undefined;
  }
}

/** Functions of one argument, by the name that NumPy and SciPy know them by. */
const functions: Readonly<Record<string, readonly ResponseStep[]>> = {
  log: [{ kind: "log" }],
  log1p: [{ kind: "log1p" }],
  log10: [{ kind: "log" }, multiply(1 / log(10))],
  log2: [{ kind: "log" }, multiply(1 / log(2))],
  exp: [{ kind: "exp" }],
  expm1: [{ kind: "expm1" }],
  sqrt: [power(0.5)],
  square: [power(2)],
  cbrt: [power(1 / 3)],
  reciprocal: [{ kind: "reciprocal" }],
  negative: [multiply(-1)],
  logit: [{ kind: "logit" }],
};

/** Operators by the names of NumPy's functions of two arguments. */
const operators: Readonly<Record<string, string>> = {
  add: "+",
  subtract: "-",
  multiply: "*",
  divide: "/",
  true_divide: "/",
  power: "**",
};

/** A call of NumPy's or SciPy's on the response; `undefined` if it is no invertible function of it. */
export function calledOnResponse(
  checking: Checking,
  { call, positional, keywords }: Arguments,
  module: ModuleName,
  name: string,
): Value | undefined {
  const [first, second] = positional.map(({ value }) => value);
  if (module === "np" && positional.length === 1 && first.kind === "response") {
    const ddof = keywords.get("ddof");
    const divisor = ddof ? numberIn(checking, ddof.value)?.number : 0;
    const found = keywords.size === (ddof ? 1 : 0) &&
      statisticOf(checking, first, name, divisor, call);
    if (found) return found;
  }
  if ((module !== "np" && module !== "special") || keywords.size > 0) return undefined;
  if (positional.length === 1 && first.kind === "response" && Object.hasOwn(functions, name)) {
    return withSteps(first, functions[name]);
  }
  if (positional.length !== 2 || !Object.hasOwn(operators, name)) return undefined;
  return operatedResponse(checking, operators[name], first, second);
}
