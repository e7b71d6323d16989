/** Tasks over a posterior, compiled when first wanted. */
import type { NodeId } from "../../language/ir/node.ts";
import type { GeneratedDensity } from "../../../numerics/math/mod.ts";
import { type AssembledProgram, priorByElement } from "./assemble.ts";
import { type Backend, compilePlan } from "./backend.ts";
import type { Evaluator } from "./evaluator.ts";
import { fastSums } from "./fast_sums.ts";
import { GradientReader, gradientRoots } from "./gradient.ts";

/** Tasks after the gradient: of the large module, and of the small one of a posterior with latents. */
const likelihood = 1;
const quantities = 2;
const latentPrior = 1;
const latentJoint = 2;
/** Of the module without gradient. */
const [valueAndLikelihood, ownQuantities] = [0, 1];

/** Results of a task, and where its nodes begin in them. */
interface TaskResults {
  readonly values: Float64Array;
  readonly places: Int32Array;
}

/**
 * Three modules for one graph. Importance draws want value, gradient and likelihood of each position at
 * once, or latents integrated out, and nothing else; most programs need no more. Chains want tasks
 * of their own, side by side in one module. Particles want no gradient. Shared nodes are computed alike
 * in all: the bits do not depend on which one it was.
 */
export class PosteriorTasks {
  readonly #assembled: AssembledProgram;
  readonly #backend: Backend;
  readonly #value: NodeId;
  #rootsOnceKnown: readonly NodeId[] | undefined;
  readonly #pointwise: NodeId;
  /** Index of the parameter that is to be integrated out, and which element each row sees. */
  readonly #latent: RowElements | undefined;
  /** The small module, the large one, and the one without gradient. */
  #both: GradientReader | undefined;
  #all: GradientReader | undefined;
  #plain: Evaluator | undefined;

  /** @param pointwise the node of log p(y_i | position) `[observations]`. */
  constructor(
    assembled: AssembledProgram,
    pointwise: NodeId,
    backend: Backend,
    latent?: RowElements,
  ) {
    const { g, logPrior, likelihood: { whole } } = assembled;
    this.#assembled = assembled;
    this.#backend = backend;
    this.#value = g.add(logPrior, whole);
    this.#pointwise = pointwise;
    this.#latent = latent;
  }

  /** The gradient for other generated code; compiles the large module. */
  get generated(): GeneratedDensity | undefined {
    return this.#large().run.generated;
  }

  /**
   * Log density, and its gradient into `gradient[at …)`. States of chains lie in memory behind the
   * large module, and ask for gradients in place: so it has to be that module, once it is there.
   */
  gradient(position: Float64Array, offset: number, gradient: Float64Array, at: number): number {
    const reader = this.#all ?? this.#small();
    return reader.read(position, offset, gradient, at);
  }

  /** Value and gradient, and the likelihood of every observation into `out[outOffset …)`. */
  withLikelihood(
    position: Float64Array,
    gradient: Float64Array,
    offset: number,
    out: Float64Array,
    outOffset: number,
  ): number {
    const reader = this.#small();
    const values = reader.run.run(0, position, offset);
    const places = reader.run.places(0);
    const from = places[places.length - 1];
    for (let i = 0; i < this.#assembled.observations; i++) out[outOffset + i] = values[from + i];
    return reader.take(values, gradient, offset);
  }

  /** Log density without gradient, and the likelihood of every observation into `out[outOffset …)`. */
  valueWithLikelihood(
    position: Float64Array,
    offset: number,
    out: Float64Array,
    outOffset: number,
  ): number {
    const run = this.#plain ??= this.#compile(this.#plainTasks());
    const values = run.run(valueAndLikelihood, position, offset);
    const [at, from] = run.places(valueAndLikelihood);
    for (let i = 0; i < this.#assembled.observations; i++) out[outOffset + i] = values[from + i];
    return Number.isFinite(values[at]) ? values[at] : -Infinity;
  }

  /** The likelihood of every observation into `out[outOffset …)`. */
  likelihood(position: Float64Array, offset: number, out: Float64Array, outOffset: number): void {
    const { observations } = this.#assembled;
    copyTask(this.#large(), likelihood, observations, position, offset, out, outOffset);
  }

  /** The log prior of every element of the latent, likewise. */
  latentPrior(position: Float64Array, offset: number, out: Float64Array, outOffset: number): void {
    const { size } = this.#assembled.parameters[this.#latent!.parameter];
    copyTask(this.#small(), latentPrior, size, position, offset, out, outOffset);
  }

  /** Likelihood and log prior of its element of every observation, likewise. */
  latentJoint(position: Float64Array, offset: number, out: Float64Array, outOffset: number): void {
    const { observations } = this.#assembled;
    copyTask(this.#small(), latentJoint, observations, position, offset, out, outOffset);
  }

  /** The constrained quantities; last the weights of summed-out values, if there are any. */
  quantities(position: Float64Array, offset: number): TaskResults {
    const [run, task] = !this.#all && this.#plain
      ? [this.#plain, ownQuantities]
      : [this.#large().run, quantities];
    return { values: run.run(task, position, offset), places: run.places(task) };
  }

  get #gradientRoots(): readonly NodeId[] {
    return this.#rootsOnceKnown ??= gradientRoots(this.#assembled, this.#value);
  }

  #small(): GradientReader {
    return this.#both ??= this.#reader(this.#compile(this.#smallTasks()));
  }

  #large(): GradientReader {
    return this.#all ??= this.#reader(this.#compile(this.#allTasks(), true));
  }

  #reader(run: Evaluator): GradientReader {
    return new GradientReader(this.#assembled, run);
  }

  #compile(tasks: readonly (readonly NodeId[])[], withDoor: boolean = false): Evaluator {
    const { g: { nodes }, dimension: inputSize, parameters } = this.#assembled;
    const plan = { nodes, inputSize, tasks, ...(withDoor && { parts: parameters }) };
    return compilePlan(plan, this.#backend);
  }

  #smallTasks(): (readonly NodeId[])[] {
    if (!this.#latent) return [[...this.#gradientRoots, this.#pointwise]];
    const { g, observations } = this.#assembled;
    const { parameter, elementOfRow } = this.#latent;
    const prior = elementPrior(this.#assembled, parameter);
    const ofRow = g.gather(prior, elementOfRow, [observations]);
    return [this.#gradientRoots, [prior], [g.add(this.#pointwise, ofRow)]];
  }

  #allTasks(): (readonly NodeId[])[] {
    return [this.#gradientRoots, [this.#pointwise], this.#quantityRoots()];
  }

  #plainTasks(): (readonly NodeId[])[] {
    const value = fastSums(this.#assembled.g, [this.#value]);
    return [[...value, this.#pointwise], this.#quantityRoots()];
  }

  #quantityRoots(): readonly NodeId[] {
    const { quantities, logWeights } = this.#assembled;
    const weights = logWeights === undefined ? [] : [logWeights];
    return [...quantities.map(({ node }) => node), ...weights];
  }
}

/** Copies the only node of a task. */
function copyTask(
  { run }: GradientReader,
  task: number,
  count: number,
  position: Float64Array,
  offset: number,
  out: Float64Array,
  outOffset: number,
): void {
  const values = run.run(task, position, offset);
  const from = run.places(task)[0];
  for (let i = 0; i < count; i++) out[outOffset + i] = values[from + i];
}

/** A parameter of which every observation sees one element. */
export interface RowElements {
  /** Index among the program's parameters. */
  readonly parameter: number;
  /** Element of each observation `[observations]`. */
  readonly elementOfRow: Int32Array;
}

/** log prior + log Jacobian of every element of a parameter. */
function elementPrior({ g, parameters }: AssembledProgram, index: number): NodeId {
  const { drawn, prior, logJacobian } = parameters[index];
  return g.add(priorByElement(g, drawn, prior), logJacobian);
}
