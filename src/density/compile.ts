/** Compiles a checked program and its data into a log density with gradient. */
import type { Dataset } from "../base/dataset.ts";
import type { CheckedProgram } from "../lang/graph.ts";
import type { LogDensity, PointwiseDensity, StartingRegion } from "../math/log_density.ts";
import { type Instruction, runBackward, runForward } from "./instruction.ts";
import type { Operand } from "./layout.ts";
import { Planner } from "./plan.ts";
import { startingRegion } from "./starting_region.ts";
import { pointwiseTerm, sumTerm } from "./term.ts";
import { canCompile, type LinkedProgram, undecided } from "./wasm/gradient_module.ts";
import { GradientRunner } from "./wasm/gradient_runner.ts";

/** What computes gradients: a generated module, or the plain tape, which is its reference. */
export type Backend = "wasm" | "tape";

/**
 * The posterior of a checked program on the unconstrained scale, log Jacobians and all normalising
 * constants of priors and likelihood included, as PyMC's `model.logp` has them.
 *
 * Data-only expressions are folded; the rest is a tape of vector kernels with a forward and a
 * backward pass, for which the `wasm` backend generates one WebAssembly function with the same
 * bits. Order of summation: folded constants, log Jacobians and then priors in the order of the
 * parameters, then the likelihood; over rows, those of even and of odd index apart. Outside the
 * support, and wherever a number is not finite, the log density is −∞ with a gradient of zeros.
 *
 * @param program what the checker made of a program's text.
 * @param dataset the data that it was checked against.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../base/dataset.ts";
 * import { checkProgram } from "../lang/check.ts";
 * import { compileLogDensity } from "./compile.ts";
 * const values = Float64Array.of(0.5);
 * const data = makeDataset("one", [{ name: "y", role: "response", type: "real", values }]);
 * const text = `import pymc as pm
 *
 * with pm.Model() as model:
 *     mu = pm.Normal("mu", 0, 1)
 *     pm.Normal("y", mu=mu, sigma=1, observed=data["y"])
 * `;
 * const checked = checkProgram(text, data);
 * assert.ok(checked.ok);
 * const density = compileLogDensity(checked.program, data);
 * const gradient = new Float64Array(1);
 * const value = density.logDensity(Float64Array.of(0.25), gradient, 0);
 * assert.ok(Math.abs(value - (-Math.log(2 * Math.PI) - 0.0625)) < 1e-15);
 * assert.equal(gradient[0], 0);
 * ```
 */
export function compileLogDensity(
  program: CheckedProgram,
  dataset: Dataset,
  backend: Backend = "wasm",
): PointwiseDensity {
  return new CompiledDensity(program, dataset, backend);
}

class CompiledDensity implements PointwiseDensity {
  readonly dimension: number;
  readonly observations: number;
  readonly quantities: readonly string[];
  readonly startingRegion: StartingRegion;
  readonly #linked: LinkedProgram;
  readonly #adjoint: Float64Array;
  readonly #deterministicTape: readonly Instruction[];
  readonly #outputs: readonly Operand[];
  #runner: GradientRunner | undefined;
  #useRunner: boolean;

  constructor(
    readonly program: CheckedProgram,
    readonly dataset: Dataset,
    readonly backend: Backend,
    omitted?: number,
  ) {
    const planner = new Planner(program, dataset, omitted);
    const linked = planDensity(planner, program);
    const values = program.parameters.map((_, index) => planner.parameter(index));
    this.#outputs = [...values, ...program.deterministics.map(({ node }) => planner.node(node))];
    const deterministicTape = planner.tape.take();
    const law = program.parameters.map(({ prior }) =>
      prior.arguments.map((id) => planner.node(id))
    );
    const bounds = program.parameters.map(({ transform: t }) =>
      t.kind === "interval" ? [planner.node(t.lower), planner.node(t.upper)] : []
    );
    this.#linked = linked();
    this.#deterministicTape = deterministicTape();
    this.#adjoint = new Float64Array(this.#linked.freeSize);
    this.#useRunner = backend === "wasm" && canCompile(this.#linked);
    this.dimension = program.parameters.length;
    this.observations = this.#linked.likelihood.term.n;
    this.quantities = quantityNames(program, this.#outputs);
    const evaluate = (position: Float64Array) => this.#evaluate(position, 0);
    this.startingRegion = startingRegion(program, law, bounds, this.#linked.memory, evaluate);
  }

  logDensity(position: Float64Array, gradient: Float64Array, offset: number): number {
    const { dimension } = this;
    let value = undecided;
    let g = this.#adjoint;
    if (this.#useRunner) {
      const runner = this.#runner ??= new GradientRunner(this.#linked);
      value = runner.run(position, offset, dimension);
      g = runner.adjoints;
    }
    if (value === undecided) [value, g] = [this.#interpret(position, offset), this.#adjoint];
    let check = value;
    for (let j = 0; j < dimension; j++) check += g[j];
    if (check - check === 0) {
      for (let j = 0; j < dimension; j++) gradient[offset + j] = g[j];
      return value;
    }
    for (let j = 0; j < dimension; j++) gradient[offset + j] = 0;
    return -Infinity;
  }

  /** Fills values and adjoints by the tape; the first `dimension` adjoints are the gradient. */
  #interpret(position: Float64Array, offset: number): number {
    const g = this.#adjoint.fill(0);
    const { memory, tape } = this.#linked;
    this.#evaluate(position, offset);
    const value = sumTerms(this.#linked, memory, g);
    if (value > -Infinity) runBackward(tape, memory, g);
    return value;
  }

  /** Fills the values that the log density needs. */
  #evaluate(position: Float64Array, offset: number): void {
    const { memory, tape } = this.#linked;
    for (let j = 0; j < this.dimension; j++) memory[j] = position[offset + j];
    runForward(tape, memory, this.#adjoint);
  }

  logLikelihood(
    position: Float64Array,
    offset: number,
    out: Float64Array,
    outOffset: number,
  ): void {
    this.#evaluate(position, offset);
    const { rule, term } = this.#linked.likelihood;
    pointwiseTerm(rule, this.#linked.memory, term, out, outOffset);
  }

  without([i]: readonly number[]): LogDensity {
    return new CompiledDensity(this.program, this.dataset, this.backend, i);
  }

  constrain(position: Float64Array, offset: number, out: Float64Array, outOffset: number): void {
    this.#evaluate(position, offset);
    const { memory } = this.#linked;
    runForward(this.#deterministicTape, memory, this.#adjoint);
    let at = outOffset;
    for (const { n, address } of this.#outputs) {
      for (let i = 0; i < n; i++) out[at++] = memory[address + i];
    }
  }
}

/** Plans everything that the log density needs; the result links it once all else is planned. */
function planDensity(planner: Planner, program: CheckedProgram): () => LinkedProgram {
  const priors = program.parameters.map((_, index) => planner.prior(index));
  const likelihood = planner.likelihood();
  const tape = planner.tape.take();
  return () => ({
    ...planner.layout.link(),
    constant: priors.reduce((sum, { constant }) => sum + constant, planner.jacobianConstant),
    tape: tape(),
    jacobians: planner.jacobians.map((build) => build()),
    priors: priors.map(({ build }) => build()),
    likelihood: likelihood(),
  });
}

/** Constants, log Jacobians, priors and likelihood, in this order, with their adjoints. */
function sumTerms(
  { constant, jacobians, priors, likelihood }: LinkedProgram,
  m: Float64Array,
  g: Float64Array,
): number {
  let value = constant;
  for (const { kernel, q, width, widthFree } of jacobians) {
    value += kernel(m, g, q, width, widthFree);
  }
  for (const { rule, term } of priors) value += sumTerm(rule, m, g, term);
  const { rule, term, column } = likelihood;
  return value + (column ? rule.column!(m, g, term) : sumTerm(rule, m, g, term));
}

/** Names in the order of `constrain`: parameters, then deterministics; vectors as name[row]. */
function quantityNames(program: CheckedProgram, outputs: readonly Operand[]): string[] {
  const named = [...program.parameters, ...program.deterministics];
  return named.flatMap(({ name }, k) => {
    const { n, vector } = outputs[k];
    return vector ? Array.from({ length: n }, (_, i) => `${name}[${i}]`) : [name];
  });
}
