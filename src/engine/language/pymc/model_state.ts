/** The state of a check of a program of PyMC: facts about its model while it is read. */
import type { NodeId } from "../ir/node.ts";
import type { Deterministic, Likelihood, Parameter } from "../ir/program.ts";
import type { Shape } from "../ir/shape.ts";
import { Checking, type Codes } from "../interpreter/checking.ts";
import type { Value } from "../interpreter/values.ts";
import type { Place } from "../syntax/source.ts";
import type { FunctionDefinition } from "../syntax/tree.ts";
import type { DiscreteLatent } from "./discrete_latent.ts";

/** Labels of a named axis, or its length where the program gives no labels. */
interface Dimension {
  readonly length: number;
  readonly labels?: readonly (string | number)[];
}

/** The state of one check of a model; `ModelCheck` joins it with statements and libraries. */
export abstract class ModelState extends Checking {
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
  /** True once something was sampled: later statements cannot change the model. */
  inferenceSeen = false;
  /** Coordinates could not be read: axes that are not there are no further errors. */
  coordsLost = false;
  /** `observed=None`: a variable that samples from the prior. */
  priorMode: Place | undefined;
  modelPlace: Place | undefined;
  /** True once a function was called that may distinguish elements of an array by position. */
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

  override codesOf(node: NodeId, extent: number): Codes | undefined {
    const latent = this.latents.find((one) => one.node === node);
    if (latent) return latent.count <= extent ? { lower: 0, count: latent.count } : undefined;
    const found = this.graph.nodes[node];
    const parameter = found.kind === "parameter" ? this.parameters[found.parameter] : undefined;
    return parameter?.transform?.kind === "summed" ? parameter.transform : undefined;
  }
}
