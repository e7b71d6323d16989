/** Arguments of `pm.Family(…)`: sorts them into those of the distribution, of the variable, and unknown ones. */
import type { FamilyDefinition, Signature } from "../distributions/family.ts";
import { families, type FamilyName } from "../distributions/table.ts";
import type { NodeId } from "../ir/node.ts";
import type { Distribution } from "../ir/program.ts";
import { numeric, wholeNumber } from "../interpreter/arrays.ts";
import type { Arguments, GivenValue } from "../interpreter/bind.ts";
import type { ModelState } from "./model_state.ts";
import { knownNames } from "../interpreter/findings.ts";
import { type DistributionResult, makeDistribution } from "./make_distribution.ts";
import type { DistributionProblem, DistributionRequest } from "./distribution_request.ts";
import type { Place } from "../syntax/source.ts";
import { describeValue, type Value } from "../interpreter/values.ts";

/** The arguments of a variable by what they are for. */
export interface VariableArguments {
  /** The variable's name; none for `.dist(…)`. */
  readonly name?: GivenValue;
  /** `observed`, `shape`, `size`, `dims`, `transform`, `default_transform`. */
  readonly options: ReadonlyMap<string, GivenValue>;
  /** Arguments that the family's signature names; `None` counts as not given. */
  readonly given: ReadonlyMap<string, GivenValue>;
}

const optionNames = new Set([
  "observed",
  "shape",
  "size",
  "dims",
  "transform",
  "default_transform",
  "compute_corr",
]);
/** Read without effect: inference belongs to the host. */
const silentNames = new Set([
  "initval",
  "rng",
  "random_seed",
  "dtype",
  "method",
  "store_in_trace",
]);

/** Sorts the arguments; undefined, with findings, if any is wrong. */
export function sortArguments(
  checking: ModelState,
  args: Arguments,
  family: FamilyName,
  named: boolean,
): VariableArguments | undefined {
  const before = checking.findings.errors;
  const { signature } = families[family];
  const given = new Map<string, GivenValue>();
  const options = new Map<string, GivenValue>();
  const order = named ? ["name", ...signature.positional] : signature.positional;
  let name: GivenValue | undefined;
  for (const [i, argument] of args.positional.entries()) {
    const parameter = order[i];
    if (parameter === "name" && named && i === 0) name = argument;
    else if (parameter === undefined) refuseSurplus(checking, args, signature, named, argument);
    else {
      warnKeyword(checking, args, signature, parameter, argument);
      given.set(parameter, argument);
    }
  }
  for (const [id, argument] of args.keywords) {
    if (id === "name" && named && !name) name = argument;
    else placeKeyword(checking, args, families[family], id, argument, given, options);
  }
  for (const [id, { value }] of given) if (value.kind === "none") given.delete(id);
  return checking.findings.errors > before ? undefined : { name, options, given };
}

function refuseSurplus(
  checking: ModelState,
  { call }: Arguments,
  { positional }: Signature,
  named: boolean,
  argument: GivenValue,
): void {
  const most = positional.length + (named ? 1 : 0);
  const callee = checking.text(call.callee);
  const message = `Cannot check ${callee}: more than ${most} positional arguments`;
  const hint = `positions: ${[...named ? ["name"] : [], ...positional].join(", ")}`;
  checking.error("names/too-many-arguments", message, argument.place, hint);
}

function warnKeyword(
  checking: ModelState,
  { call }: Arguments,
  { keywordSince }: Signature,
  parameter: string,
  { place }: GivenValue,
): void {
  if (!keywordSince?.includes(parameter)) return;
  const callee = checking.text(call.callee);
  const message = `PyMC 5.28 takes ${parameter} of ${callee} by keyword only`;
  checking.findings.warning("names/keyword-only", message, place, `write ${parameter}=`);
}

function placeKeyword(
  checking: ModelState,
  args: Arguments,
  { signature }: FamilyDefinition,
  id: string,
  argument: GivenValue,
  given: Map<string, GivenValue>,
  options: Map<string, GivenValue>,
): void {
  const parameters = [...signature.positional, ...signature.keywordOnly ?? []];
  const place = argument.keyword ?? argument.place;
  if (given.has(id) || id === "name") {
    const message = `Cannot check ${checking.text(args.call.callee)}: ${id} is given twice`;
    const hint = `leave the keyword out: the position of ${id} is taken`;
    checking.error("names/repeated-argument", message, place, hint);
  } else if (parameters.includes(id)) given.set(id, argument);
  else if (id === "compute_p") return; // whether PyMC's trace keeps the probabilities
  else if (optionNames.has(id)) options.set(id, argument);
  else if (silentNames.has(id)) {
    // A start may look at the response: nothing is made of it.
    if (argument.value.kind === "derived") argument.value.reported = true;
    const message = `${id}= has no effect: inference belongs to the host`;
    checking.findings.note("notes/inference-ignored", message, place);
  } else refuseKeyword(checking, args, id, place, parameters);
}

function refuseKeyword(
  checking: ModelState,
  { call }: Arguments,
  id: string,
  place: Place,
  parameters: readonly string[],
): void {
  const callee = checking.text(call.callee);
  const report = (code: string, why: string, hint: string) =>
    checking.error(code, `Cannot use ${id}= in ${callee}: ${why}`, place, hint);
  if (id === "logp" || id === "dist" || id === "logcdf" || id === "random") {
    const why = "a density of the program's own need not be normalised";
    report("lh/custom-density", why, `leave ${id}= out`);
  } else if (id === "total_size") {
    report("lh/rescaled-likelihood", "every row counts once", `leave ${id}= out`);
  } else if (id === "sd" && parameters.includes("sigma")) {
    report("names/unknown-argument", "PyMC calls it sigma since version 4", "write sigma=");
  } else if (id === "testval") {
    report("names/unknown-argument", "PyMC calls it initval since version 4", "leave testval= out");
  } else {
    const hint = knownNames(id, "parameters", [...parameters, "observed", "shape", "dims"]);
    report("names/unknown-argument", "no such parameter", hint);
  }
}

/** The request of a distribution from the arguments; undefined, with findings, if any is wrong. */
export function requestOf(
  checking: ModelState,
  args: Arguments,
  family: FamilyName,
  given: ReadonlyMap<string, GivenValue>,
): DistributionRequest | undefined {
  const { domains } = families[family].signature;
  const numbers = new Map<string, NodeId>();
  const distributions = new Map<string, readonly Distribution[]>();
  const sizes = new Map<string, number>();
  let fine = true;
  for (const [name, { value, place }] of given) {
    if (domains[name] === "distribution") {
      const found = distributionsOf(checking, value, place, name);
      if (found) distributions.set(name, found);
      else fine = false;
    } else if (domains[name] === "size") {
      const found = wholeNumber(checking, value, place, name);
      if (found !== undefined) sizes.set(name, found);
      else fine = false;
    } else {
      const found = numeric(checking, value, place, name);
      if (found) numbers.set(name, found.node);
      else fine = false;
    }
  }
  if (!fine) return undefined;
  const callee = checking.text(args.call.callee);
  return { family, callee, given: numbers, distributions, sizes, rows: checking.dataset.rows };
}

function distributionsOf(
  checking: ModelState,
  value: Value,
  place: Place,
  name: string,
): readonly Distribution[] | undefined {
  const items = value.kind === "sequence" ? value.items : [value];
  const distributions: Distribution[] = [];
  for (const item of items) {
    if (item.kind === "distribution") distributions.push(item.distribution);
    else if (item.kind === "invalid") return undefined;
    else {
      const found = item.kind === "numeric" && item.origin === "tensor"
        ? "a random variable"
        : describeValue(item);
      const message = `Cannot use ${found} as ${name}: wanted a distribution`;
      const hint = "write pm.Normal.dist(...), without a name";
      checking.error("names/wrong-kind", message, place, hint);
      return undefined;
    }
  }
  return distributions;
}

/** The distribution of a request; problems are reported where the argument stands. */
export function distributionOf(
  checking: ModelState,
  args: Arguments,
  request: DistributionRequest,
  given: ReadonlyMap<string, GivenValue>,
  shapePlace?: Place,
): Distribution | undefined {
  const made: DistributionResult = makeDistribution(checking.graph, request);
  if (made.ok) return made.distribution;
  for (const problem of made.problems) {
    checking.error(
      problem.code,
      problem.message,
      placeOf(args, problem, given, shapePlace),
      problem.hint,
    );
  }
  return undefined;
}

function placeOf(
  { call }: Arguments,
  { argument }: DistributionProblem,
  given: ReadonlyMap<string, GivenValue>,
  shapePlace: Place | undefined,
): Place {
  if (argument === "shape" && shapePlace) return shapePlace;
  return (argument === undefined ? undefined : given.get(argument)?.place) ?? call;
}
