/** Members of the model and of names of `pm.` that programs read, and methods of these. */
import { type Arguments, evaluateArguments } from "../interpreter/bind.ts";
import { addCoordinates } from "./dimensions.ts";
import { knownNames } from "../interpreter/findings.ts";
import { refuseMethod } from "../interpreter/methods.ts";
import type { ModelState } from "./model_state.ts";
import { replacements } from "./names.ts";
import type { Attribute, Call, Subscript } from "../syntax/tree.ts";
import { type BuiltinValue, ignored, invalid, type Value } from "../interpreter/values.ts";

/** `pm.Normal.dist`. */
export function distributionMember(
  checking: ModelState,
  e: Attribute,
  object: BuiltinValue,
): Value {
  if (object.module === "pm" && e.name.id === "dist") {
    return { kind: "method", object, name: "dist" };
  }
  if (
    object.module === "pm" && Object.hasOwn(replacements, object.name)
  ) {
    const message = `Cannot use ${checking.text(e.object)}: not in the subset`;
    return checking.error("unsupported/function", message, e.object, replacements[object.name]);
  }
  const message = `Cannot read .${e.name.id} of ${checking.text(e.object)}: not in the subset`;
  return checking.error("unsupported/expression", message, e.name);
}

/** `model["name"]`. */
export function variableOf(checking: ModelState, e: Subscript, index: Value): Value {
  const name = index.kind === "text" ? index.value : undefined;
  const found = name === undefined ? undefined : checking.named.get(name);
  if (found) return found;
  const message = `Cannot find the variable ${checking.text(e.index)} of the model`;
  const hint = knownNames(name ?? "", "variables", [...checking.variables.keys()]);
  return checking.error("names/undefined", message, e.index, hint);
}

/** `model.method(…)`. */
export function callModelMethod(checking: ModelState, call: Call, name: string): Value {
  if (isSilent(name)) return ignored;
  const args = evaluateArguments(checking, call);
  return args ? modelMethod(checking, args, name) : invalid;
}

/** Methods of the model that have nothing to do with what it means. */
function isSilent(name: string): boolean {
  return [
    "debug",
    "point_logps",
    "to_graphviz",
    "initial_point",
    "check_start_vals",
    "compile_logp",
  ]
    .includes(name);
}

function modelMethod(checking: ModelState, args: Arguments, name: string): Value {
  if (name === "add_coord" || name === "add_coords") return addCoordinates(checking, args, name);
  const why = name === "register_rv" || name === "add_random_variable"
    ? "variables are made by pm.Family(...)"
    : "no such method of the model in the subset";
  return refuseMethod(checking, args, why);
}
