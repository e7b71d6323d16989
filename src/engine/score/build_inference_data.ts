/** The InferenceData of a fit: its draws, predictions, and data. */
import type { Dataset } from "../../base/dataset.ts";
import { observedValues } from "../inference/density/recorded_cells.ts";
import { families } from "../language/distributions/table.ts";
import { type Shape, sizeOf } from "../language/ir/shape.ts";
import type { ChainSet } from "../inference/mcmc/chain_set.ts";
import { pointwiseLogLikelihood } from "../loo/posterior.ts";
import type { CheckedProgram } from "../language/ir/program.ts";
import { priorDraws, replicate } from "../inference/predict/draws.ts";
import type { SampledFit } from "./fit.ts";
import { interleaved, parameterDraws } from "./predictive.ts";
import { constrainedDraws } from "./summaries.ts";
import { engineVersion } from "./version.ts";
import { type Group, type InferenceData, makeGroup, type Variable } from "./inference_data/data.ts";

/** How much is drawn beside the posterior. */
export interface InferenceDataOptions {
  /** Draws of the prior and the prior predictive distribution; 500 if left out. */
  readonly priorDraws?: number;
}

/**
 * Groups `posterior`, `sample_stats`, `log_likelihood`, `posterior_predictive`, `prior`,
 * `prior_predictive`, `observed_data` and `constant_data`, named as in ArviZ's schema; axes of
 * variables are named by the program's dims, or `x_dim_0` as ArviZ names them.
 */
export function inferenceData(fit: SampledFit, options: InferenceDataOptions = {}): InferenceData {
  const { program, dataset } = fit;
  const groups = [
    posteriorGroup(fit),
    sampleStats(fit.sampled.chainSet),
    logLikelihood(fit),
    posteriorPredictive(fit),
    ...priorGroups(program, dataset, options.priorDraws ?? 500),
    observedData(fit),
    ...constantData(fit),
  ];
  const attributes = {
    inference_library: "sluice",
    inference_library_version: engineVersion,
    program_hash: program.hash,
    elpd_loo: fit.estimate.elpdLoo,
    loo_method: fit.estimate.method,
  };
  return { groups, attributes };
}

/** Names of the axes of an array, as the program or ArviZ calls them. */
function dimsOf(name: string, shape: Shape, dims?: readonly (string | undefined)[]): string[] {
  return shape.map((_, k) => dims?.[k] ?? `${name}_dim_${k}`);
}

/** `[chains · draws, …shape]` as a variable over chains and draws. */
function drawn(
  name: string,
  values: Variable["values"],
  chains: number,
  shape: Shape,
  dims: readonly string[],
): Variable {
  const draws = values.length / chains / sizeOf(shape);
  return {
    name,
    dims: ["chain", "draw", ...dims],
    shape: [chains, draws, ...shape],
    values,
  };
}

function posteriorGroup({ sampled: { density, chainSet }, program }: SampledFit): Group {
  const columns = constrainedDraws(density, chainSet);
  let at = 0;
  const variables = (density.quantityShapes ?? []).map(({ name, shape, dims }) => {
    const size = sizeOf(shape);
    const values = interleaved(columns.slice(at, at + size));
    at += size;
    return drawn(name, values, chainSet.chains, shape, dimsOf(name, shape, dims));
  });
  return makeGroup("posterior", variables, program.coords);
}

function sampleStats(set: ChainSet): Group {
  const { chains, draws, adaptations } = set;
  const scalar = (name: string, values: Variable["values"]) => drawn(name, values, chains, [], []);
  const stepSizes = new Float64Array(chains * draws);
  for (let s = 0; s < stepSizes.length; s++) {
    stepSizes[s] = adaptations[Math.floor(s / draws)]?.stepSize ?? 0;
  }
  return makeGroup("sample_stats", [
    scalar("lp", set.logDensities),
    scalar("acceptance_rate", set.acceptance),
    scalar("step_size", stepSizes),
    scalar("tree_depth", Int32Array.from(set.treeDepths)),
    scalar("n_steps", set.steps),
    scalar("diverging", set.diverging),
    scalar("energy", set.energies),
  ]);
}

function responseShape(program: CheckedProgram): { name: string; shape: Shape; dims: string[] } {
  const { name, distribution } = program.likelihood;
  return { name, shape: distribution.shape, dims: dimsOf(name, distribution.shape) };
}

function logLikelihood({ sampled: { density, chainSet }, program }: SampledFit): Group {
  const { name, shape, dims } = responseShape(program);
  const rank = families[program.likelihood.distribution.family].eventRank;
  const batch = shape.slice(0, shape.length - rank);
  const values = pointwiseLogLikelihood(density, chainSet);
  const own = sizeOf(batch) === density.observations ? batch : [density.observations];
  const variable = drawn(name, values, chainSet.chains, own, dims.slice(0, own.length));
  return makeGroup("log_likelihood", [variable], program.coords);
}

function posteriorPredictive(fit: SampledFit): Group {
  const { program, dataset, sampled: { chainSet } } = fit;
  const { name, shape, dims } = responseShape(program);
  const key = ["posterior predictive", program.hash, dataset.digest];
  const values = replicate(program, dataset, parameterDraws(fit), { key });
  const variable = drawn(name, values, chainSet.chains, shape, dims);
  return makeGroup("posterior_predictive", [variable], program.coords);
}

function priorGroups(program: CheckedProgram, dataset: Dataset, draws: number): Group[] {
  const found = priorDraws(program, dataset, draws, ["prior", program.hash, dataset.digest]);
  const parameters = program.parameters.map(({ name, shape, dims }, k) =>
    drawn(name, found.parameters[k], 1, shape, dimsOf(name, shape, dims))
  );
  const deterministics = program.deterministics.map(({ name, node, dims }, k) => {
    const { shape } = program.nodes[node];
    return drawn(name, found.deterministics[k], 1, shape, dimsOf(name, shape, dims));
  });
  const { name, shape, dims } = responseShape(program);
  const predicted = drawn(name, found.response, 1, shape, dims);
  return [
    makeGroup("prior", [...parameters, ...deterministics], program.coords),
    makeGroup("prior_predictive", [predicted], program.coords),
  ];
}

function observedData({ program, dataset }: SampledFit): Group {
  const { name, shape, dims } = responseShape(program);
  const values = observedValues(program, dataset);
  return makeGroup("observed_data", [{ name, shape, dims, values }], program.coords);
}

/** The columns that the program reads beside the response. */
function constantData({ program, dataset }: SampledFit): Group[] {
  const read = new Set(program.nodes.flatMap((node) => node.kind === "column" ? node.column : []));
  const variables = dataset.columns
    .filter(({ name }) => read.has(name) && name !== program.likelihood.column)
    .map(({ name, values, shape: own }) => {
      const shape = own ?? [values.length];
      return { name, shape, dims: dimsOf(name, shape), values };
    });
  return variables.length > 0 ? [makeGroup("constant_data", variables)] : [];
}
