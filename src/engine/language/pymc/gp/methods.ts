/** Methods of Gaussian processes: priors, likelihoods, and predictions, which belong to the host. */
import type { NodeId } from "../../ir/node.ts";
import { numberOf } from "../../interpreter/arrays.ts";
import {
  type Arguments,
  bind,
  evaluateArguments,
  type GivenValue,
} from "../../interpreter/bind.ts";
import { pythonNumber } from "../../interpreter/arrays.ts";
import { invalid, type NumericValue, type Value } from "../../interpreter/values.ts";
import type { Attribute, Call, Expression } from "../../syntax/tree.ts";
import type { ModelState } from "../model_state.ts";
import { addDeterministic, insideModel, noteObserved, variableOf } from "../variables.ts";
import { declareVariable, textArgument } from "../variable_names.ts";
import { basisAt } from "./basis.ts";
import { CovarianceFunction, identity, whiteNoise } from "./covariance.ts";
import { covarianceValue, numberArgument } from "./make_covariance.ts";
import { isOneOutput } from "./make_process.ts";
import { meanValue } from "./mean.ts";
import { type Points, pointsOf } from "./points.ts";
import type { GaussianProcess } from "./process.ts";

/** Added to the diagonal of covariance matrices (PyMC 5.28). */
const defaultJitter = 1e-6;

type Bound = ReadonlyMap<string, GivenValue>;

/** `process.method(…)`. */
export function callProcessMethod(
  checking: ModelState,
  call: Call,
  process: GaussianProcess,
  name: string,
): Value {
  if (name === "conditional" || name === "predict") return noteDropped(checking, call);
  const { kind } = process;
  if (name === "prior" && kind === "Latent") return latentPrior(checking, call, process);
  if (name === "prior" && kind === "HSGP") return basisPrior(checking, call, process);
  if (name === "prior_linearized" && kind === "HSGP") return linearized(checking, call, process);
  if (name === "marginal_likelihood" && kind === "Marginal") {
    return marginalLikelihood(checking, call, process);
  }
  const known = { Latent: ".prior", HSGP: ".prior", Marginal: ".marginal_likelihood" }[kind];
  const message = `Cannot call ${checking.text(call.callee)}: pm.gp.${kind} has no such method`;
  checking.excused ||= name === "marginal_likelihood";
  return checking.error("unsupported/function", message, call.callee, `write ${known}(...)`);
}

/** Notes that predictions beyond the data do not change the score. */
function noteDropped(checking: ModelState, call: Call): Value {
  const text = checking.text(call.callee);
  const message = `${text} has no effect: predictions belong to the host`;
  checking.findings.note("notes/inference-ignored", message, call);
  return { kind: "ignored", of: text };
}

/** `process.attribute`. */
export function processAttribute(
  checking: ModelState,
  { name: { id } }: Attribute,
  process: GaussianProcess,
): Value | undefined {
  if (id === "cov_func") return covarianceValue(process.covariance);
  if (id === "mean_func") return meanValue(process.mean);
  if (id !== "n_basis_vectors" || !process.basis) return undefined;
  return pythonNumber(checking, process.basis.counts.reduce((a, b) => a * b, 1), "int");
}

function tensor(node: NodeId): NumericValue {
  return { kind: "numeric", node, dtype: "float", origin: "tensor" };
}

/** Values as arguments that stand where the call does. */
function given(entries: Record<string, Value>, place: Expression): Map<string, GivenValue> {
  return new Map(Object.entries(entries).map(([name, value]) => [name, { value, place }]));
}

/** The mean `[n]` at points. */
function meanAt(
  checking: ModelState,
  { mean }: GaussianProcess,
  x: Points,
  call: Call,
): NodeId | undefined {
  const found = mean.values(checking.graph, x);
  if (found === undefined) {
    const message = `Cannot look at the mean function of ${checking.text(call.callee)} at points ` +
      `of ${x.columns} columns: it has other coefficients`;
    checking.error("shapes/points", message, call, "give one coefficient for each column");
  }
  return found;
}

/** Points that the covariance function can look at. */
function pointsFor(
  checking: ModelState,
  { covariance }: GaussianProcess,
  bound: Bound,
  call: Call,
): Points | undefined {
  const text = checking.text(call.callee);
  const x = pointsOf(checking, bound.get("X")!, text);
  return x && fits(checking, covariance, x, bound.get("X")!.place, text) ? x : undefined;
}

function fits(
  checking: ModelState,
  { parts: { activeDims = [] } }: CovarianceFunction,
  x: Points,
  place: Expression,
  text: string,
): boolean {
  checking.allocate(x.rows * x.rows, place);
  if (activeDims.every((k) => k < x.columns)) return true;
  const message = `Cannot look at ${text} at points of ${x.columns} columns: the covariance ` +
    `function wants column ${Math.max(...activeDims)}, counted from 0`;
  checking.error("shapes/points", message, place);
  return false;
}

function jitterOf(checking: ModelState, bound: Bound): number {
  return numberOf(checking, bound.get("jitter")?.value) ?? defaultJitter;
}

/** `cov(X)`, `cov(X, Xs)`. */
export function callCovarianceFunction(
  checking: ModelState,
  call: Call,
  covariance: CovarianceFunction,
): Value {
  const text = checking.text(call.callee);
  const args = evaluateArguments(checking, call);
  const bound = args && bind(checking, args, text, { names: ["X", "Xs"], required: 1 });
  const first = bound?.get("X");
  const x = first && pointsOf(checking, first, text);
  if (!x || !fits(checking, covariance, x, first.place, text)) return invalid;
  const second = bound?.get("Xs");
  if (!second || second.value.kind === "none") return tensor(covariance.matrix(checking.graph, x));
  const others = pointsOf(checking, second, text);
  if (!others || !fits(checking, covariance, others, second.place, text)) return invalid;
  return tensor(covariance.between(checking.graph, x, others));
}

/** `latent.prior("f", X=…)`: a factor of the covariance times standard normal numbers. */
function latentPrior(checking: ModelState, call: Call, process: GaussianProcess): Value {
  if (!insideModel(checking, call)) return invalid;
  const { graph: g } = checking;
  const args = evaluateArguments(checking, call);
  const bound = args && bind(checking, args, checking.text(call.callee), {
    names: ["name", "X", "n_outputs", "reparameterize", "jitter"],
    required: 2,
    keywordOnly: ["dims"],
    ignored: ["initval"],
  });
  if (!bound || !isOneOutput(checking, bound.get("n_outputs"))) return invalid;
  const x = pointsFor(checking, process, bound, call);
  const mu = x && meanAt(checking, process, x, call);
  const name = textArgument(checking, bound.get("name")!, checking.text(call.callee));
  if (!x || mu === undefined || name === undefined) return invalid;
  const cov = jittered(checking, process.covariance.matrix(g, x), x, jitterOf(checking, bound));
  const reparameterized = bound.get("reparameterize");
  if (reparameterized && numberOf(checking, reparameterized.value) === 0) {
    const keywords = given({ mu: tensor(mu), cov: tensor(cov) }, call);
    addOption(keywords, bound, "dims");
    return variableOf(checking, named(call, name, keywords), "mv_normal", false);
  }
  if (!declareVariable(checking, name, bound.get("name")!.place)) return invalid;
  const white = standardNormal(checking, call, `${name}_rotated_`, x.rows, bound, "dims");
  if (!white) return invalid;
  const column = g.matmul(g.cholesky(cov), g.reshape(white.node, [x.rows, 1]));
  const f = g.add(mu, g.reshape(column, [x.rows]));
  return addDeterministic(checking, name, tensor(f), bound.get("dims"));
}

function jittered(checking: ModelState, cov: NodeId, x: Points, jitter: number): NodeId {
  const { graph: g } = checking;
  return g.add(cov, g.mul(g.scalar(jitter), identity(g, x.rows)));
}

function addOption(keywords: Map<string, GivenValue>, bound: Bound, from: string): void {
  const option = bound.get(from);
  if (option) keywords.set("dims", option);
}

function named(call: Call, name: string, keywords: ReadonlyMap<string, GivenValue>): Arguments {
  return { call, positional: [{ value: { kind: "text", value: name }, place: call }], keywords };
}

/** `pm.Normal(name, 0, 1, shape=count)`. */
function standardNormal(
  checking: ModelState,
  call: Call,
  name: string,
  count: number,
  bound: Bound,
  dims: string,
  sigma: NodeId = checking.graph.scalar(1),
): NumericValue | undefined {
  const mu = pythonNumber(checking, 0, "float");
  const shape = pythonNumber(checking, count, "int");
  const keywords = given({ mu, sigma: tensor(sigma), shape }, call);
  addOption(keywords, bound, dims);
  const made = variableOf(checking, named(call, name, keywords), "normal", false);
  return made.kind === "numeric" ? made : undefined;
}

function basisOf(checking: ModelState, process: GaussianProcess, x: Points, call: Call) {
  const found = basisAt(checking.graph, x, process.covariance, process.basis!);
  if (!found) {
    const message = `Cannot call ${checking.text(call.callee)}: wanted points that are data`;
    checking.error("unsupported/argument", message, call, "give a column of the data as X");
  }
  return found;
}

/** `hsgp.prior_linearized(X)`: the basis functions, and the scales of their coefficients. */
function linearized(checking: ModelState, call: Call, process: GaussianProcess): Value {
  const args = evaluateArguments(checking, call);
  const text = checking.text(call.callee);
  const bound = args && bind(checking, args, text, { names: ["X"], required: 1 });
  const x = bound && pointsFor(checking, process, bound, call);
  const basis = x && basisOf(checking, process, x, call);
  if (!basis) return invalid;
  const items = [basis.functions, basis.scales].map(tensor);
  return { kind: "sequence", form: "tuple", items };
}

/** `hsgp.prior("f", X=…)`: the basis functions times their coefficients. */
function basisPrior(checking: ModelState, call: Call, process: GaussianProcess): Value {
  if (!insideModel(checking, call)) return invalid;
  const { graph: g } = checking;
  const args = evaluateArguments(checking, call);
  const bound = args && bind(checking, args, checking.text(call.callee), {
    names: ["name", "X", "dims", "hsgp_coeffs_dims"],
    required: 2,
  });
  const x = bound && pointsFor(checking, process, bound, call);
  const mu = x && meanAt(checking, process, x, call);
  const basis = x && basisOf(checking, process, x, call);
  if (!bound || mu === undefined || !basis) return invalid;
  const name = textArgument(checking, bound.get("name")!, checking.text(call.callee));
  if (name === undefined || !declareVariable(checking, name, bound.get("name")!.place)) {
    return invalid;
  }
  const { functions, scales, count } = basis;
  const { centred } = process.basis!;
  const coefficients = `${name}_hsgp_coeffs`;
  const sigma = centred ? scales : undefined;
  const beta = standardNormal(
    checking,
    call,
    coefficients,
    count,
    bound,
    "hsgp_coeffs_dims",
    sigma,
  );
  if (!beta) return invalid;
  const scaled = centred ? beta.node : g.mul(beta.node, scales);
  const column = g.matmul(functions, g.reshape(scaled, [count, 1]));
  const f = g.add(mu, g.reshape(column, [x.rows]));
  return addDeterministic(checking, name, tensor(f), bound.get("dims"));
}

/** `marginal.marginal_likelihood("y", X=…, y=…, sigma=…)`: one normal vector over all rows. */
function marginalLikelihood(checking: ModelState, call: Call, process: GaussianProcess): Value {
  noteObserved(checking, call);
  if (!insideModel(checking, call)) return invalid;
  const { graph: g } = checking;
  const args = evaluateArguments(checking, call);
  const text = checking.text(call.callee);
  const bound = args && bind(checking, args, text, {
    names: ["name", "X", "y", "sigma", "jitter", "is_observed"],
    required: 4,
    keywordOnly: ["dims"],
    aliases: { noise: "sigma" },
  });
  const x = bound && pointsFor(checking, process, bound, call);
  const mu = x && meanAt(checking, process, x, call);
  if (!args || !x || mu === undefined || !isScored(checking, args, bound)) return invalid;
  const noise = noiseOf(checking, bound.get("sigma")!, x, text);
  if (noise === undefined) return invalid;
  const cov = g.add(process.covariance.matrix(g, x), noise);
  const total = tensor(jittered(checking, cov, x, jitterOf(checking, bound)));
  const keywords = given({ mu: tensor(mu), cov: total }, call);
  keywords.set("observed", bound.get("y")!);
  addOption(keywords, bound, "dims");
  const positional = [bound.get("name")!];
  return variableOf(checking, { call, positional, keywords }, "mv_normal", true);
}

function isScored(checking: ModelState, args: Arguments, bound: Bound): boolean {
  const old = args.keywords.get("noise");
  if (old) {
    const message = "PyMC 5.28 calls noise sigma";
    const place = old.keyword ?? old.place;
    checking.findings.warning("names/not-in-pymc", message, place, "write sigma=");
  }
  const flag = bound.get("is_observed");
  if (!flag || numberOf(checking, flag.value) === 1) return true;
  const message = "Cannot use is_observed=: a likelihood is observed";
  checking.error("unsupported/argument", message, flag.place, "write pm.gp.Latent");
  return false;
}

/** The noise of the rows: a number, or a covariance function. */
function noiseOf(
  checking: ModelState,
  sigma: GivenValue,
  x: Points,
  text: string,
): NodeId | undefined {
  const { graph: g } = checking;
  const { value, place } = sigma;
  if (value.kind === "object" && value.object instanceof CovarianceFunction) {
    return fits(checking, value.object, x, place, text) ? value.object.matrix(g, x) : undefined;
  }
  const number = numberArgument(checking, sigma, text, 1);
  return number === undefined ? undefined : whiteNoise(number).full(g, x);
}
