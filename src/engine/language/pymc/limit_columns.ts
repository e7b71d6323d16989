/** Columns that know of the response beside it: limits may bound the likelihood, events nothing. */
import { type Column, knowsResponse, limitNames, responseColumn } from "../../../base/dataset.ts";
import { distributionNodes, transformNodes } from "../ir/canonical.ts";
import type { NodeId } from "../ir/node.ts";
import type { ModelState } from "./model_state.ts";

/**
 * Refuses a program that reads a column of the role `limit` anywhere but whole and unchanged as a
 * bound of the `pm.Censored` that is observed, or one of the role `event` at all: the first holds
 * the response of censored rows, the second marks these. Decided on the graph with all that was
 * made while it was read, needed or not, so that no spelling matters.
 */
export function checkLimitColumns(checking: ModelState): void {
  const { graph } = checking;
  checkWindows(checking);
  const secret = new Map<NodeId, Column>();
  graph.nodes.forEach((node, id) => {
    const column = node.kind === "column" ? checking.columns.get(node.column) : undefined;
    if (column && knowsResponse(column) && !isGivenTotal(checking, column, id)) {
      secret.set(id, column);
    }
  });
  if (secret.size === 0) return;
  const found = looks(checking).find(({ nodes, bounds }) =>
    nodes.some((id) => isRefused(secret.get(id), bounds))
  );
  const node = found?.nodes.find((id) => isRefused(secret.get(id), found.bounds));
  const column = node !== undefined
    ? secret.get(node)
    : [...secret.values()].find(({ name }) => graph.lookedAt.has(name));
  if (column) refuse(checking, column, found?.place);
}

/** Windows are those of the data: a program's own could hold every response. */
function checkWindows(checking: ModelState): void {
  const { graph, likelihood, modelPlace } = checking;
  if (likelihood?.distribution.family !== "windowed") return;
  const { from, until } = limitNames(likelihood.column);
  const isOwn = likelihood.distribution.args.every((id, k) => {
    const node = graph.nodes[id];
    return node.kind === "column" && node.column === [from, until][k] &&
      checking.columns.get(node.column)?.role === "limit";
  });
  if (isOwn && !likelihood.transform) return;
  const message = "Cannot use these ends of interval_censored: they are not those of the data";
  const hint = `write lower=data["${from}"], upper=data["${until}"], ` +
    `observed=data["${likelihood.column}"]`;
  checking.error("lh/windows", message, modelPlace ?? { start: 0, end: 0 }, hint);
}

/** Sums of the response's rows are no secret where each row is drawn given its sum. */
function isGivenTotal({ likelihood }: ModelState, { totalOf }: Column, id: NodeId): boolean {
  const { family, args } = likelihood?.distribution ?? {};
  const isGiven = family === "multinomial" || family === "dirichlet_multinomial";
  return totalOf !== undefined && isGiven && args?.[0] === id;
}

function isRefused(column: Column | undefined, bounds = false): boolean {
  return column !== undefined && !(bounds && column.role === "limit");
}

/** Nodes that something reads, and its place. */
interface Look {
  readonly nodes: readonly NodeId[];
  readonly place: ModelState["modelPlace"];
  /** Whether they bound the observed `pm.Censored`. */
  readonly bounds?: boolean;
}

/** All readers of nodes: other nodes, priors, what is reported, and the likelihood. */
function looks(checking: ModelState): Look[] {
  const { graph, parameters, parameterPlaces, deterministics, likelihood, modelPlace } = checking;
  const made = graph.nodes.map((_, id) => ({
    nodes: [...graph.sourcesOf(id)],
    place: checking.placeOf(id),
  }));
  const priors = parameters.map(({ prior, transform }, k) => ({
    nodes: [...distributionNodes(prior), ...transformNodes(transform)],
    place: parameterPlaces[k],
  }));
  const named = { nodes: deterministics.map(({ node }) => node), place: modelPlace };
  if (!likelihood) return [...made, ...priors, named];
  const { family, args, components = [] } = likelihood.distribution;
  const inside = { nodes: components.flatMap(distributionNodes), place: modelPlace };
  const own = {
    nodes: args,
    place: modelPlace,
    bounds: family === "censored" || family === "windowed",
  };
  return [...made, ...priors, named, inside, own];
}

function refuse(
  checking: ModelState,
  { name, role, totalOf }: Column,
  place: ModelState["modelPlace"],
) {
  const response = responseColumn(checking.dataset)?.name ?? "the response";
  if (totalOf !== undefined) return refuseTotal(checking, totalOf, place);
  const knows = role === "limit"
    ? `it holds "${response}" where that is censored, and may only bound the likelihood`
    : `it says in which rows "${response}" is censored`;
  const hint = role === "limit"
    ? `write pm.Censored(…, upper=data["${name}"], observed=data["${response}"]), whole and ` +
      "unchanged, and leave it out of everything else"
    : `leave it out: pm.Censored, bounded by data["${response}_limit"], is what it is for`;
  const message = `Cannot use "${name}" here: ${knows}`;
  const where = place ?? checking.modelPlace ?? { start: 0, end: 0 };
  checking.error("lh/protected-use-before-score", message, where, hint);
}

function refuseTotal(checking: ModelState, response: string, place: ModelState["modelPlace"]) {
  const message =
    `Cannot use the sums of the rows of "${response}" here: only pm.Multinomial and ` +
    "pm.DirichletMultinomial are given how many a row counts";
  const hint = "write n=counts.sum(axis=1) in one of these, or leave the sums out";
  const where = place ?? checking.modelPlace ?? { start: 0, end: 0 };
  checking.error("lh/protected-use-before-score", message, where, hint);
}
