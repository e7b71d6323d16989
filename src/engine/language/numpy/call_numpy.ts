/** Calls of NumPy's, pandas', PyMC's and PyTensor's functions of numbers, by module and name. */
import type { ArrayFunction } from "./array_function.ts";
import {
  broadcast,
  finite,
  isHost,
  joinOrigins,
  keysOfParts,
  numberOf,
  numeric,
  shapeOf,
  widest,
} from "../interpreter/arrays.ts";
import {
  allArguments,
  anyTouchesResponse,
  type Arguments,
  bind,
  deriveFrom,
  evaluateArguments,
  type GivenValue,
  holds,
} from "../interpreter/bind.ts";
import type { Checking } from "../interpreter/checking.ts";
import { castArray } from "../interpreter/conversions.ts";
import { type Elementwise, elementwise, onlyInPytensor } from "./elementwise.ts";
import { knownNames } from "../interpreter/findings.ts";
import { arrayFunctions, notInPymcMath } from "./library.ts";
import { constants } from "../interpreter/modules.ts";
import { linalgFunctions, numpyFunctions } from "./numpy_functions.ts";
import { callDates } from "../interpreter/dates.ts";
import { selected, whereOfWords } from "./choices.ts";
import { callPandas } from "./pandas.ts";
import { callPreprocessing, loadedText, scaledResponse } from "./preprocessing.ts";
import { refuseRandom } from "./refuse_random.ts";
import { functionReplacements } from "./refused_functions.ts";
import { mentionsResponse } from "../interpreter/response_use.ts";
import { calledOnResponse } from "../interpreter/response_transforms.ts";
import { callDesign } from "./splines.ts";
import { setSubtensor } from "./subtensors.ts";
import type { Call } from "../syntax/tree.ts";
import {
  type BuiltinValue,
  invalid,
  type ModuleName,
  type NumericValue,
  type ResponseValue,
  type Value,
} from "../interpreter/values.ts";

/** The value of a call of a function of a module. */
export function callNumpy(checking: Checking, call: Call, { module, name }: BuiltinValue): Value {
  if (module === "python") throw new Error(`internal: ${name} belongs to no module`);
  if (module === "pd") return callPandas(checking, call, name);
  if (module === "patsy") return callDesign(checking, call, name);
  if (module === "pt" && (name === "set_subtensor" || name === "inc_subtensor")) {
    return setSubtensor(checking, call, name);
  }
  if (module === "np.random") return callRandom(checking, call);
  if (module === "sklearn") return callPreprocessing(checking, call, name);
  if (module === "np" && (name === "loadtxt" || name === "genfromtxt")) {
    return loadedText(checking, call, name);
  }
  if (module === "np" && name === "timedelta64") return callDates(checking, call, name);
  if (module === "np" && name === "select") {
    const args = evaluateArguments(checking, call);
    return args ? selected(checking, args) : invalid;
  }
  return callLibrary(checking, call, module, name);
}

/** Random numbers serve starting values and inference, which belong to the host. */
function callRandom(checking: Checking, call: Call): Value {
  if (mentionsResponse(checking, call)) return checking.derive(call);
  return { kind: "ignored", of: checking.text(call.callee) };
}

const conversions: Readonly<Record<string, string>> = {
  float64: "float",
  float32: "float",
  int64: "int",
  int32: "int",
  intp: "int",
  bool_: "bool",
};

function callLibrary(checking: Checking, call: Call, module: ModuleName, name: string): Value {
  const text = checking.text(call.callee);
  const each = elementwise[module]?.[name];
  const array = arrayFunctions[module]?.[name] ??
    (module === "np"
      ? numpyFunctions[name]
      : module === "np.linalg"
      ? linalgFunctions[name]
      : undefined);
  const cast = module === "np" && Object.hasOwn(conversions, name);
  if (!each && !array && !cast) return unknownFunction(checking, call, module, name);
  if (module === "pm.math") warnPytensor(checking, call, name);
  const args = evaluateArguments(checking, call);
  if (!args) return invalid;
  const whole = identityOfResponse(checking, args, module, name);
  if (whole) return whole;
  const transformed = calledOnResponse(checking, args, module, name);
  if (transformed) return transformed;
  const [first] = args.positional.map(({ value }) => value);
  if (module === "stats" && name === "zscore" && first?.kind === "response") {
    const ddof = args.keywords.get("ddof")?.value;
    return scaledResponse(checking, call, { name }, first, numberOf(checking, ddof) ?? 0);
  }
  const words = module === "np" && name === "where" ? whereOfWords(checking, args) : undefined;
  if (words) return words;
  if (anyTouchesResponse(allArguments(args))) return deriveFrom(checking, call, args);
  const unread = allArguments(args).find(({ value }) => value.kind === "ignored");
  if (unread) return unread.value;
  const numpy = module === "np" || module === "np.linalg" || module === "special";
  if (
    numpy && !worksOnTensors.has(name) && allArguments(args).some(({ value }) => isTensor(value))
  ) {
    return refuseRandom({ checking, place: call.callee, text }) ?? invalid;
  }
  if (cast) return castCall(checking, args, text, conversions[name]);
  if (each && !(name === "where" && args.positional.length === 1)) {
    return callElementwise(checking, args, text, module, each);
  }
  const found = name === "where" ? numpyFunctions.nonzero : array;
  return found ? callArrayFunction(checking, args, text, module, found) : invalid;
}

/** NumPy's functions that hand tensors back to PyTensor, as tried with PyMC 5.28. */
const worksOnTensors = new Set(
  ("exp log sqrt abs absolute sin cos tan sinh cosh tanh floor ceil log1p expm1 square log2 log10 " +
    "exp2 negative reciprocal power add subtract multiply divide true_divide mod repeat squeeze")
    .split(" "),
);

/** Whether a value, or an item of it, is a tensor of PyMC. */
function isTensor(value: Value): boolean {
  return holds(value, (one) => one.kind === "numeric" && one.origin === "tensor");
}

/** `np.asarray(y)` is the response still, and so are arrays that differ in their type only. */
function identityOfResponse(
  checking: Checking,
  args: Arguments,
  module: ModuleName,
  name: string,
): Value | undefined {
  const converters = [
    "array",
    "asarray",
    "as_tensor",
    "as_tensor_variable",
    "float64",
    "atleast_1d",
  ];
  if (module !== "np" && module !== "pt" && module !== "pm.math") return undefined;
  const [first] = args.positional;
  const exact = first?.value.kind === "response" &&
    keepsNumbers(checking, first.value, args.positional[1] ?? args.keywords.get("dtype"));
  const same = converters.includes(name) && first?.value.kind === "response" && exact;
  return same ? { ...first.value, isArray: true } as ResponseValue : undefined;
}

/** Whether a conversion to this type leaves the response what it is. */
function keepsNumbers(
  { response }: Checking,
  { transform }: ResponseValue,
  type: GivenValue | undefined,
): boolean {
  if (!type) return true;
  const { value } = type;
  const name = value.kind === "builtin" ? value.name : value.kind === "text" ? value.value : "";
  if (/^(float|double)/.test(name)) return true;
  return /^u?int/.test(name) && !transform && (response?.values.every(Number.isInteger) ?? false);
}

function castCall(checking: Checking, args: Arguments, text: string, type: string): Value {
  const given = bind(checking, args, text, { names: ["x"], required: 1 })?.get("x");
  const x = given && numeric(checking, given.value, given.place, text);
  const site = { checking, place: args.call, text };
  return (x && castArray(site, x, { kind: "text", value: type })) ?? invalid;
}

function warnPytensor(checking: Checking, call: Call, name: string): void {
  if (!onlyInPytensor.has(name) && !notInPymcMath.has(name)) return;
  const message = `PyMC 5.28 has no ${checking.text(call.callee)}`;
  const hint = `import pytensor.tensor as pt and write pt.${name} if the program is to run there`;
  checking.findings.warning("names/not-in-pymc", message, call.callee, hint);
}

function callElementwise(
  checking: Checking,
  args: Arguments,
  text: string,
  module: ModuleName,
  { names, build, dtype, aliases, conditions = 0 }: Elementwise,
): Value {
  const ignoredNames = module === "np" ? ["dtype", "out"] : ["dtype"];
  const bound = bind(checking, args, text, {
    names,
    required: names.length,
    ignored: ignoredNames,
    aliases,
  });
  if (!bound) return invalid;
  const numbers: NumericValue[] = [];
  for (const name of names) {
    const given = bound.get(name);
    const number = given && numeric(checking, given.value, given.place, text);
    if (!number) return invalid;
    numbers.push(number);
  }
  if (module === "math" || module === "stats") {
    if (!onlyNumbers(checking, args, text, numbers)) return invalid;
  }
  const shape = broadcast(checking, numbers, args.call);
  if (!shape) return invalid;
  checking.allocate(shape.reduce((a, b) => a * b, 1), args.call);
  const node = build(checking.graph, ...numbers.map((number) => number.node));
  const tensor = module === "pm" || module === "pm.math" || module === "pt";
  let result: NumericValue = {
    kind: "numeric",
    node,
    dtype: dtype === "same" ? widest(...numbers.slice(conditions)) : dtype,
    origin: tensor ? "tensor" : joinOrigins(...numbers),
    ...keysOfParts(checking, numbers, node),
  };
  if (conditions > 0 && result.origin === "series") result = { ...result, origin: "numpy" };
  return finite(checking, result, numbers, args.call) ? result : invalid;
}

/** `math.` functions take one number of Python. */
function onlyNumbers(
  checking: Checking,
  args: Arguments,
  text: string,
  numbers: readonly NumericValue[],
): boolean {
  if (numbers.some((number) => !isHost(number))) {
    refuseRandom({ checking, place: args.call.callee, text });
    return false;
  }
  if (numbers.every((number) => shapeOf(checking, number).length === 0)) return true;
  const message = `Cannot call ${text} on an array: it takes one number`;
  checking.error("shapes/vector-argument", message, args.call, "write np. instead of math.");
  return false;
}

function callArrayFunction(
  checking: Checking,
  args: Arguments,
  text: string,
  module: ModuleName,
  array: ArrayFunction,
): Value {
  const bound = bind(checking, args, text, array);
  const result = bound && array.apply({ checking, place: args.call, text }, bound);
  if (!result) return invalid;
  const tensor = module === "pm.math" || module === "pt";
  if (result.kind !== "numeric") return result;
  if (tensor) return { ...result, origin: "tensor" };
  return result.origin === "series" ? { ...result, origin: "numpy" } : result;
}

/** A function outside of the subset, with what to write instead. */
function unknownFunction(checking: Checking, call: Call, module: ModuleName, name: string): Value {
  if (mentionsResponse(checking, call)) return checking.derive(call);
  const text = checking.text(call.callee);
  if (Object.hasOwn(functionReplacements, name)) {
    const message = `Cannot call ${text}: not in the subset`;
    return checking.error("unsupported/function", message, call.callee, functionReplacements[name]);
  }
  const known = [
    ...Object.keys(elementwise[module] ?? {}),
    ...Object.keys(arrayFunctions[module] ?? {}),
    ...Object.keys(module === "np" ? numpyFunctions : {}),
    ...Object.keys(constants[module] ?? {}),
  ];
  const message = `Cannot call ${text}: no such function in the subset`;
  const hint = knownNames(name, "known", known);
  return checking.error("names/unknown-function", message, call.callee, hint);
}
