/** A check of a program of PyMC: what is known about its model while it is read. */
import type { NodeId } from "../ir/node.ts";
import type { Deterministic, Likelihood, Parameter } from "../ir/program.ts";
import { callArrayMethod } from "../numpy/array_methods.ts";
import { callNumpy } from "../numpy/call_numpy.ts";
import { Checking, type Codes } from "../interpreter/checking.ts";
import type { DiscreteLatent } from "./discrete_latents.ts";
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
import type { Shape } from "../ir/shape.ts";
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

/** Labels of a named axis, or its length where the program gives no labels. */
export interface Dimension {
  readonly length: number;
  readonly labels?: readonly (string | number)[];
}

/** Functions of a whole array that it does not matter to in which order its elements stand. */
const summaries: ReadonlySet<string> = new Set(
  ["mean", "sum", "std", "var", "min", "max", "to_numpy", "copy"],
);

/** Whether a function treats all elements of an array alike; those of `pm` are looked at in the graph. */
function isAlikeToAll(module: BuiltinValue["module"], name: string): boolean {
  return module === "pm" || summaries.has(name) ||
    (module !== "python" && elementwise[module]?.[name] !== undefined);
}

/** The state of one check of a model; its methods join the interpreter with the libraries. */
export class ModelCheck extends Checking {
  /** Names of variables of the model, with the place where each was given. */
  readonly variables = new Map<string, Place>();
  /** Values of the variables of the model, for `model["name"]`. */
  readonly named = new Map<string, Value>();
  readonly parameters: Parameter[] = [];
  readonly parameterPlaces: Place[] = [];
  parameterElements = 0;
  readonly deterministics: Deterministic[] = [];
  /** Discrete variables that the likelihood may sum out. */
  readonly latents: DiscreteLatent[] = [];
  /** Named axes of the model. */
  readonly dimensions = new Map<string, Dimension>();
  likelihood: Likelihood | undefined;
  /** An observed variable was written, whether or not it could be accepted. */
  observedSeen = false;
  /** The first row of the response that is observed. */
  observedFrom = 0;
  /** `observed=None`: a variable that samples from the prior. */
  priorMode: Place | undefined;
  modelPlace: Place | undefined;
  /** Something was called that may tell elements of an array apart by their places. */
  looksAtPlaces = false;
  /** Inside a `with` block of the model. */
  inModel = false;
  /** `gen_model`, once it has been met. */
  modelFunction: FunctionDefinition | undefined;
  /** Functions that open a model and have not been called. */
  readonly uncalled = new Map<string, Place>();

  /** Shape of what is observed. */
  get observedShape(): Shape {
    const { responseShape, observedFrom } = this;
    return observedFrom === 0 ? responseShape : [responseShape[0] - observedFrom];
  }

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
    if (object.kind === "object") return callObjectMethod(this, call, object, name);
    return callDist(this, call, object.name);
  }

  override libraryMember(e: Attribute, object: BuiltinValue | ObjectValue): Value {
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

  override codesOf(node: NodeId, extent: number): Codes | undefined {
    const latent = this.latents.find((one) => one.node === node);
    if (latent) return latent.count <= extent ? { lower: 0, count: latent.count } : undefined;
    const found = this.graph.nodes[node];
    const parameter = found.kind === "parameter" ? this.parameters[found.parameter] : undefined;
    return parameter?.transform?.kind === "summed" ? parameter.transform : undefined;
  }
}
