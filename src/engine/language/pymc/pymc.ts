/** Calls of `pm.…`: variables, data containers, inference, and what is refused by name. */
import { shapeOfResponse } from "../interpreter/response_rows.ts";
import { distributionNames, familyOf, windowedFamily } from "../distributions/table.ts";
import { numeric } from "../interpreter/arrays.ts";
import { bind, evaluateArguments } from "../interpreter/bind.ts";
import type { ModelState } from "./model_state.ts";
import { dimsArgument, nameAxes, setCoordinates } from "./dimensions.ts";
import { knownNames } from "../interpreter/findings.ts";
import {
  customDensities,
  dataContainers,
  inference,
  isSilentName,
  pmNames,
  replacements,
} from "./names.ts";
import { openModel } from "./model.ts";
import { mentionsResponse } from "../interpreter/response_use.ts";
import { transformNames } from "./transforms.ts";
import { type Call, children, type Expression } from "../syntax/tree.ts";
import { ignored, invalid, type Value } from "../interpreter/values.ts";
import { checkDeterministic, checkDist, checkVariable } from "./variables.ts";
import { declareVariable, textArgument } from "./variable_names.ts";
import { intervalName, withWindows } from "./windows.ts";

/** Functions of `pm` itself. */
const plainFunctions = new Set(["invlogit", "logit", "expand_packed_triangular"]);

/** The value of `pm.name(…)`; undefined if it is a function of numbers. */
export function callPymc(checking: ModelState, call: Call, name: string): Value | undefined {
  if (plainFunctions.has(name)) return undefined;
  if (name === "DiracDelta") return checkVariable(checking, aroundPoint(call, 1), pointFamily);
  const family = familyOf(name);
  if (family) return checkVariable(checking, call, family);
  if (name === intervalName && call.callee.kind === "name") {
    if (!call.arguments.some(({ keyword }) => keyword?.id === "observed")) {
      const message = `Cannot check ${intervalName}: missing observed`;
      return checking.error("names/missing-argument", message, call.callee, "write observed=");
    }
    return checkVariable(checking, withWindows(call), windowedFamily);
  }
  if (name === "Deterministic") return checkDeterministic(checking, call);
  if (dataContainers.has(name)) return callData(checking, call, name);
  if (name === "Model") return openModel(checking, call);
  if (name === "modelcontext") return { kind: "model" };
  if (inference.has(name) || (name === "set_data" && checking.inferenceSeen)) {
    return callInference(checking, call, name);
  }
  if (isSilentName(name)) return ignored;
  return refusePymc(checking, call, name);
}

/** `pm.Family.dist(…)`. */
export function callDist(checking: ModelState, call: Call, name: string): Value {
  if (name === "DiracDelta") return checkDist(checking, aroundPoint(call, 0), pointFamily);
  const family = familyOf(name);
  return family ? checkDist(checking, call, family) : refusePymc(checking, call, name);
}

/** `DiracDelta(c)` is the uniform distribution of whole numbers from c to c. */
const pointFamily = familyOf("DiscreteUniform")!;

function aroundPoint(call: Call, at: number): Call {
  const given = call.arguments.flatMap((one, i) => {
    if (one.form === "positional" && i === at) return [one, one];
    if (one.keyword?.id !== "c") return [one];
    return ["lower", "upper"].map((id) => ({ ...one, keyword: { ...one.keyword!, id } }));
  });
  return { ...call, arguments: given };
}

/** Names of PyMC that would change what is scored, then those outside of the subset. */
function refusePymc(checking: ModelState, call: Call, name: string): Value {
  const message = `Cannot use pm.${name}`;
  if (call.arguments.some(({ keyword }) => keyword?.id === "observed")) {
    checking.observedSeen = true;
  }
  checking.excused ||= mentionsResponse(checking, call);
  if (name === "Potential") {
    const why = "a potential changes the posterior without being scored";
    const hint = "write it as a prior or into the likelihood: transform=" +
      "pm.distributions.transforms.ordered for an order, pm.Censored for censored data";
    return checking.error("lh/potential", `${message}: ${why}`, call.callee, hint);
  }
  if (customDensities.has(name)) {
    const why = "a density of the program's own need not be normalised";
    const hint = "choose a built-in distribution";
    return checking.error("lh/custom-density", `${message}: ${why}`, call.callee, hint);
  }
  if (name === "set_data") {
    const hint = "leave it out, or write it below pm.sample(): the data belong to the host";
    return checking.error(
      "lh/changed-data",
      `${message}: it would change the data`,
      call.callee,
      hint,
    );
  }
  if (Object.hasOwn(replacements, name)) {
    const hint = replacements[name];
    return checking.error(
      "unsupported/function",
      `${message}: not in the subset`,
      call.callee,
      hint,
    );
  }
  const hint = knownNames(name, "known", [...distributionNames, ...pmNames]);
  const unknown = `${message}: no such name in the subset`;
  return checking.error("names/unknown-function", unknown, call.callee, hint);
}

/** `pm.Data("x", column, dims=…)`: the column, as a tensor. */
function callData(checking: ModelState, call: Call, name: string): Value {
  const text = `pm.${name}`;
  if (name !== "Data") {
    const message = `PyMC 5.28 has no ${text}`;
    checking.findings.warning("names/not-in-pymc", message, call.callee, "write pm.Data");
  }
  const args = evaluateArguments(checking, call);
  const bound = args && bind(checking, args, text, {
    names: ["name", "value", "dims", "coords", "export_index_as_coords"],
    required: 2,
    keywordOnly: ["mutable", "infer_dims_and_coords"],
  });
  const [label, given] = [bound?.get("name"), bound?.get("value")];
  if (!bound || !label || !given) return invalid;
  const title = textArgument(checking, label, text);
  if (title === undefined || !declareVariable(checking, title, label.place)) return invalid;
  const coords = bound.get("coords");
  if (coords) setCoordinates(checking, coords);
  const found = given.value;
  if (found.kind === "derived") return found;
  const whole = found.kind === "response";
  const number = whole ? undefined : numeric(checking, found, given.place, text);
  if (!whole && !number) return invalid;
  if (number && number.origin === "tensor" && !checking.graph.isHost(number.node)) {
    const message = `Cannot put a random variable into ${text}: wanted data`;
    return checking.error("names/wrong-kind", message, given.place, "write pm.Deterministic");
  }
  const shape = number ? checking.graph.shapeOf(number.node) : shapeOfResponse(checking, found);
  const dims = bound.get("dims");
  if (dims && dims.value.kind !== "none") {
    const names = dimsArgument(checking, dims);
    if (!names || !nameAxes(checking, names, shape, dims.place, true)) return invalid;
  }
  const value: Value = number ? { ...number, origin: "tensor" } : found;
  checking.named.set(title, value);
  return value;
}

/** Settings of inference belong to the host; a call inside of them could change the model. */
function callInference(checking: ModelState, call: Call, name: string): Value {
  const pending: Expression[] = call.arguments.map((argument) => argument.value);
  for (let e = pending.pop(); e; e = pending.pop()) {
    if (e.kind === "call" && changesModel(checking, e)) {
      const message = `Cannot call ${checking.text(e.callee)} inside of pm.${name}`;
      return checking.error("unsupported/argument", message, e, "leave the argument out");
    }
    pending.push(...children(e));
  }
  checking.inferenceSeen = true;
  const message = `pm.${name} has no effect: inference and its settings belong to the host`;
  checking.findings.note("notes/inference-ignored", message, call);
  return ignored;
}

/** Whether a call could add to the model: all but step methods and plain functions could. */
function changesModel(checking: ModelState, { callee }: Call): boolean {
  if (callee.kind === "name") return checking.scope.get(callee.id)?.kind === "function";
  if (callee.kind !== "attribute") return true;
  const { object, name } = callee;
  const module = object.kind === "name" ? checking.scope.get(object.id) : undefined;
  if (module?.kind !== "module" || module.module !== "pm") return false;
  return !isSilentName(name.id) && !inference.has(name.id);
}

/** `pm.distributions.transforms.Interval(0, 1)`. */
export function callTransform(checking: ModelState, call: Call, name: string): Value {
  const args = evaluateArguments(checking, call);
  if (!args) return invalid;
  if (name === "Interval" || name === "interval") {
    const names = ["lower", "upper"];
    const bound = bind(checking, args, name, { names, required: 0 });
    if (!bound) return invalid;
    const nodes = names.map((side, i) => {
      const given = bound.get(side);
      if (!given || given.value.kind === "none") {
        return checking.graph.scalar(i === 0 ? -Infinity : Infinity);
      }
      return numeric(checking, given.value, given.place, name)?.node;
    });
    const [lower, upper] = nodes;
    if (lower === undefined || upper === undefined) return invalid;
    return { kind: "transform", name, bounds: [lower, upper] };
  }
  const lower = name.toLowerCase();
  if (
    [
      "ordered",
      "logodds",
      "simplex",
      "circular",
      "log",
      "logtransform",
      "simplextransform",
      "circulartransform",
      "logoddstransform",
    ].includes(lower)
  ) {
    return { kind: "transform", name: lower.replace("transform", "") };
  }
  const message = `Cannot use the transform ${name}: not in the subset`;
  const hint = knownNames(name, "transforms", transformNames);
  return checking.error("unsupported/transform", message, call.callee, hint);
}
