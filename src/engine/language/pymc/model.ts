/** The block of the model, and the function that may hold it. */
import { isIntervalCensored } from "../../../base/interval_censored.ts";
import { bind, evaluateArguments } from "../interpreter/bind.ts";
import type { ModelState } from "./model_state.ts";
import { setCoordinates } from "./dimensions.ts";
import { makeFunction } from "../interpreter/inline.ts";
import { assignedNames, Scope } from "../interpreter/scope.ts";
import { assign } from "../interpreter/assignment.ts";
import type { Call, FunctionDefinition, WithStatement } from "../syntax/tree.ts";
import { intervalName } from "./windows.ts";
import { type End, ignored, invalid, type Value } from "../interpreter/values.ts";

/** `with pm.Model() as model:`, or the same model once more. */
export function checkWith(checking: ModelState, s: WithStatement): End | undefined {
  const before = checking.findings.errors;
  let model = false;
  for (const { context, target } of s.items) {
    const value = checking.evaluate(context);
    if (value.kind === "model") model = true;
    else if (value.kind === "invalid" || value.kind === "ignored") continue;
    else {
      const message = "Cannot check this `with`: wanted a model";
      const hint = "write `with pm.Model() as model:`";
      checking.error("unsupported/statement", message, context, hint);
    }
    if (target) assign(checking, target, value);
  }
  if (!model && checking.findings.errors > before) {
    checking.excused = true;
    return undefined;
  }
  const outer = checking.inModel;
  checking.inModel ||= model;
  const end = checking.run(s.body);
  checking.inModel = outer;
  return end;
}

/** `pm.Model(coords=…)`: the one model of the program. */
export function openModel(checking: ModelState, call: Call): Value {
  if (checking.modelPlace) {
    const line = checking.source.lineOf(checking.modelPlace.start);
    const message = `Cannot open a second model: line ${line} has opened one`;
    return checking.error("lh/second-model", message, call, "write all variables into one model");
  }
  checking.modelPlace = call;
  const args = evaluateArguments(checking, call);
  const bound = args && bind(checking, args, "pm.Model", {
    names: ["name"],
    required: 0,
    keywordOnly: ["coords"],
    ignored: ["check_bounds", "coords_mutable"],
  });
  checking.coordsLost ||= !bound;
  if (!bound) return { kind: "model" };
  const name = bound.get("name");
  if (
    name && name.value.kind !== "none" && !(name.value.kind === "text" && name.value.value === "")
  ) {
    const message = "Cannot use name of pm.Model: it would rename all variables";
    checking.error("unsupported/argument", message, name.place, "write pm.Model()");
  }
  const coords = bound.get("coords");
  if (coords) setCoordinates(checking, coords);
  return { kind: "model" };
}

/** `def`: a helper, or `gen_model`, whose argument is the data and which the host calls. */
export function checkFunction(checking: ModelState, s: FunctionDefinition): void {
  const { name, parameters, body } = s;
  const whole = { start: s.start, end: body.at(-1)!.end };
  if (isIntervalCensored(checking.source.slice(whole))) {
    assign(checking, name, { kind: "builtin", module: "pm", name: intervalName });
    return;
  }
  if (name.id !== "gen_model") {
    const value = makeFunction(checking, name.id, parameters, body);
    assign(checking, name, value);
    if (/\.Model\s*\(/.test(bodyText(checking, s))) {
      checking.uncalled.set(name.id, name);
    }
    return;
  }
  const [only, ...rest] = parameters;
  const hint = "write `def gen_model(observed_data):` at the beginning of a line";
  if (
    !only || only.form !== "plain" || only.default ||
    rest.some((p) => p.form === "plain" && !p.default)
  ) {
    checking.excused = true;
    const message = "Cannot check gen_model: wanted one argument, the data";
    checking.error("names/arguments", message, s, hint);
  } else if (checking.inModel || checking.scope !== checking.globals || checking.modelFunction) {
    checking.excused = true;
    const message = "Cannot check gen_model: wanted one function, outside of any block";
    checking.error("unsupported/statement", message, s, hint);
  } else {
    checking.globals.set(name.id, ignored);
    checking.modelFunction = s;
  }
}

function bodyText({ source }: ModelState, { body }: FunctionDefinition): string {
  return body.map((statement) => source.slice(statement)).join("\n");
}

/** Checks the body of `gen_model` with the names that the whole program has bound. */
export function checkModelFunction(checking: ModelState, s: FunctionDefinition): void {
  const [data, ...rest] = s.parameters;
  checking.scope = new Scope(checking.globals, assignedNames(s.body));
  checking.frame = true;
  checking.scope.set(data.name.id, { kind: "data" });
  for (const { name, default: value } of rest) {
    checking.scope.set(name.id, value ? checking.evaluate(value) : invalid);
  }
  checking.run(s.body);
  checking.scope = checking.globals;
}
