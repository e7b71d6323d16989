/** A check of a program of PyMC: joins the state of its model with the interpreter and the libraries. */
import { callArrayMethod } from "../numpy/array_methods.ts";
import { Window, windowMethod } from "../interpreter/lags.ts";
import { evaluateArguments } from "../interpreter/bind.ts";
import { callPreprocessor, Preprocessor, preprocessorMember } from "../numpy/preprocessing.ts";
import { callNumpy } from "../numpy/call_numpy.ts";
import { ModelState } from "./model_state.ts";
import { elementwise } from "../numpy/elementwise.ts";
import { evaluate } from "../interpreter/evaluate.ts";
import { joinedColumns } from "../numpy/joining.ts";
import { callModelMethod, distributionMember, variableOf } from "./model_members.ts";
import { checkFunction, checkWith } from "./model.ts";
import { categoricalAttribute } from "../numpy/pandas.ts";
import {
  callGaussianProcesses,
  callObject,
  callObjectMethod,
  objectMember,
  objectOperator,
} from "./gp/mod.ts";
import { callDist, callPymc, callTransform } from "./pymc.ts";
import { runBody } from "../interpreter/statements.ts";
import type { Place } from "../syntax/source.ts";
import type {
  Attribute,
  Call,
  Expression,
  FunctionDefinition,
  Statement,
  Subscript,
  WithStatement,
} from "../syntax/tree.ts";
import type { BuiltinValue, End, NumericValue, ObjectValue, Value } from "../interpreter/values.ts";

/** Functions of a whole array that it does not matter to in which order its elements stand. */
const summaries: ReadonlySet<string> = new Set(
  ["mean", "sum", "std", "var", "min", "max", "to_numpy", "copy"],
);

/** Whether a function treats all elements of an array alike; those of `pm` are checked in the graph. */
function isAlikeToAll(module: BuiltinValue["module"], name: string): boolean {
  return module === "pm" || summaries.has(name) ||
    (module !== "python" && elementwise[module]?.[name] !== undefined);
}

/** One check of a model: its methods join the interpreter with the libraries. */
export class ModelCheck extends ModelState {
  override evaluate(e: Expression): Value {
    return evaluate(this, e);
  }

  override run(body: readonly Statement[]): End | undefined {
    return runBody(this, body);
  }

  override enter(s: WithStatement): End | undefined {
    return checkWith(this, s);
  }

  override define(s: FunctionDefinition): void {
    checkFunction(this, s);
  }

  override callLibrary(call: Call, builtin: BuiltinValue): Value {
    const { module, name } = builtin;
    this.looksAtPlaces ||= !isAlikeToAll(module, name);
    if (module === "pm.transforms") return callTransform(this, call, name);
    const own = module === "pm"
      ? callPymc(this, call, name)
      : callGaussianProcesses(this, call, module, name);
    return own ?? callNumpy(this, call, builtin);
  }

  override libraryMethod(
    call: Call,
    object: Extract<Value, { kind: "numeric" | "model" | "builtin" | "object" }>,
    name: string,
  ): Value {
    this.looksAtPlaces ||= object.kind === "numeric" && !isAlikeToAll("np", name);
    if (object.kind === "numeric") return callArrayMethod(this, call, object, name);
    if (object.kind === "model") return callModelMethod(this, call, name);
    if (object.kind === "object" && object.object instanceof Preprocessor) {
      return callPreprocessor(this, call, object, name);
    }
    if (object.kind === "object" && object.object instanceof Window) {
      const args = evaluateArguments(this, call);
      return args && windowMethod(this, object, name, args) ||
        this.error(
          "unsupported/function",
          `Cannot call ${this.text(call.callee)}: not in the subset`,
          call,
        );
    }
    if (object.kind === "object") return callObjectMethod(this, call, object, name);
    return callDist(this, call, object.name);
  }

  override libraryMember(e: Attribute, object: BuiltinValue | ObjectValue): Value {
    if (object.kind === "object" && object.object instanceof Preprocessor) {
      return preprocessorMember(this, e, object);
    }
    if (object.kind === "object") return objectMember(this, e, object);
    return distributionMember(this, e, object);
  }

  override callObject(call: Call, object: ObjectValue): Value {
    return callObject(this, call, object);
  }

  override objectOperator(op: string, left: Value, right: Value, place: Place): Value {
    return objectOperator(this, op, left, right, place);
  }

  override arrayAttribute(e: Attribute, array: NumericValue): Value | undefined {
    return categoricalAttribute(this, e, array, e.name.id);
  }

  override libraryPart(e: Subscript, object: Value, index: Value): Value | undefined {
    if (object.kind === "model") return variableOf(this, e, index);
    if (object.kind !== "builtin" || object.module !== "np") return undefined;
    return joinedColumns(this, e, object.name, index);
  }
}
