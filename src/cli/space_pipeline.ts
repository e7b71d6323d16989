/** The pipeline that asks a model space of a data file, as text. */
import { inputError } from "../base/diagnostic.ts";
import type { AskedSpace } from "./asked_space.ts";
import { commandLine, commandName } from "../base/command_name.ts";
import { inlineToml } from "./inline_toml.ts";
import { bayesian, pseudoBma, pseudoBmaInTime } from "./pseudo_bma.ts";
import { listed } from "../base/listed.ts";
import { printableJson } from "../base/printable.ts";
import { nearest } from "../base/nearest.ts";
import { hintOfCodes } from "../data/hints.ts";
import { dataStageToml, type InspectedColumn } from "../data/inspect.ts";
import {
  checkSpaceKeys,
  ofSingleTrials,
  parseFormula,
  proposedSpace,
  type SpaceName,
  spaceNames,
  termsIn,
} from "../gfn/spaces/mod.ts";
import { columnsOfSpace, columnsRead, hintOfStrange } from "./space_columns.ts";

/** Input of a pipeline of a space. */
export interface SpaceRequest extends AskedSpace {
  readonly name: string;
  /** Of the data, seen from the pipeline. */
  readonly path: string;
  readonly columns: readonly InspectedColumn[];
  /** Whether a policy learns to sample the programs; they are counted, if left out. */
  readonly learns?: boolean;
}

/** A pipeline and what it asks. */
interface SpacePipeline {
  readonly toml: string;
  readonly formula: string;
  /** The usual ones of the space, if undefined. */
  readonly families: readonly string[] | undefined;
  /** Columns that could be asked about, and are not. */
  readonly leftOut: readonly string[];
  /** Remarks on columns whose kind was inferred, perhaps wrongly. */
  readonly remarks: readonly string[];
}

/**
 * A pipeline of data, model space, target, and ranking or training.
 *
 * @throws InputError if the response cannot be explained, the formula cannot be read, or there is no
 * family of a name.
 */
export function spacePipeline(request: SpaceRequest): SpacePipeline {
  const space = request.space ?? spaceMeant(request);
  const { name, path, curves, kernels, period, depth, unit } = request;
  const { margins, priors, learns = false } = request;
  checkResponse(request.columns, space);
  checkSpaceKeys({ ...request, space });
  const all = columnsOfSpace(request.columns, { ...request, space });
  const { formula, families, leftOut } = askedOf({ ...request, space }, all);
  const read = columnsRead(all, formula, request.group);
  const notRead = all.filter(({ role }, i) => role !== "ignore" && read[i].role === "ignore")
    .map(({ name }) => name);
  const columns = groupFirst(read, request.group);
  const clock = columns.find(({ role }) => role === "time");
  const isSeries = space === "time_series" && clock !== undefined;
  const own = {
    families,
    curves,
    kernels,
    period,
    depth,
    effects: request.effects,
    ...(margins === false && { margins }),
  };
  if (isSeries && request.score === "evidence") throw noEvidenceInTime(clock.name);
  const reward = isSeries
    ? pseudoBmaInTime(clock.name)
    : request.score === "evidence"
    ? bayesian
    : pseudoBma;
  const toml = `# Which ${questions[space]} ${name}? Written by sluice init.
format = 1
name = ${JSON.stringify(name)}
seed = 1

${dataStageToml(path, columns, request)}
${notReadLine(notRead)}
${comments[space]}
[stages.programs]
kind = "model_space"
space = "${space}"
inputs = { data = "data" }
${tomlLines({ formula, ...own, priors })}

[stages.target]
kind = "target"
inputs = { environment = "programs", data = "data" }
${unit === undefined ? "" : `unit = "${unit}"\n`}${reward}

${learns ? training : ranking}`;
  return { toml, formula, families, leftOut, remarks: remarksOf(columns, formula, families) };
}

/** The columns with the group that is to be left out before the groups of the formula: a target takes the first. */
function groupFirst(
  columns: readonly InspectedColumn[],
  group: string | undefined,
): readonly InspectedColumn[] {
  return columns.toSorted((a, b) => Number(b.name === group) - Number(a.name === group));
}

/** The space that a left side or levels in their order ask for, where none is named. */
function spaceMeant({ formula, columns, levels, families }: SpaceRequest): SpaceName {
  const parsed = formula === undefined ? undefined : parseFormula(formula);
  if (parsed?.response.event !== undefined) return "survival";
  const { type, ordered, order, levels: words = [] } = columns.find(({ role }) =>
    role === "response"
  )!;
  const isOrdered = ordered && order!.length > 2 || levels !== undefined && words.length > 2;
  return type === "category" && isOrdered && families === undefined ? "ordinal" : "regression";
}

/** Remarks on the response, unless it is a measurement, and on predictors that may be of another kind. */
function remarksOf(
  columns: readonly InspectedColumn[],
  formula: string,
  families: readonly string[] = [],
): readonly string[] {
  const all = termsIn(parseFormula(formula));
  const offsets = all.flatMap((term) => term.kind === "offset" ? [term.factor.column] : []);
  const plain = all.flatMap((term) => term.kind === "product" ? term.factors : [])
    .filter((factor) => factor.kind === "column" && !factor.by).map(({ column }) => column);
  return columns.filter(({ name }) => !offsets.includes(name)).flatMap((column) => {
    const { name, role, type, remark, hint, codes } = column;
    const isTold = role === "event" || role === "response" && type !== "real";
    const isAsked = role === "response" && !(column.shape && families.some(isOfAnyNumber)) ||
      role === "predictor" && (plain.includes(name) || hint !== hintOfCodes(name, codes));
    return [isTold && remark, isAsked && hint].flatMap((said) => said ? [`${name}: ${said}`] : []);
  });
}

/** Whether a family does not follow from the shape of a response. */
function isOfAnyNumber(family: string): boolean {
  return family === "normal" || family === "student_t";
}

/** Columns that are not in the table, for a user who wants to ask about them. */
function notReadLine(names: readonly string[]): string {
  return names.length === 0
    ? ""
    : `# Not in the formula, and so not read: ${
      listed(names.map((name) => printableJson(JSON.stringify(name))))
    }.\n`;
}

const ranking = `[stages.rank]
kind = "rank"
inputs = { target = "target" }
`;

const training =
  `# Too many programs to score each: a policy learns to sample them, and is checked against the target.
[stages]
use = "sluice:configs/training.toml"
[stages.train]
steps = 1000 # × 32 trajectories
`;

/** Keys with the values that are said, a line each. */
function tomlLines(said: Readonly<Record<string, unknown>>): string {
  return Object.entries(said).filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key} = ${inlineToml(value)}`).join("\n");
}

/** Formula and families as they are asked for, or else as they are proposed. */
function askedOf(
  { space = "regression", formula, families }: SpaceRequest,
  columns: readonly InspectedColumn[],
): Pick<SpacePipeline, "formula" | "families" | "leftOut"> {
  const isWhole = formula !== undefined && (space !== "regression" || families !== undefined);
  const proposed = isWhole ? undefined : proposedSpace(columns, space, formula);
  const parsed = parseFormula(formula ?? proposed!.formula);
  const isSingle = parsed.response.trials === undefined &&
    columns.some(({ role, type, range }) =>
      role === "response" && range?.[1] === 1 && type !== "real"
    );
  return {
    formula: parsed.source,
    families: families && isSingle
      ? ofSingleTrials(families)
      : families ?? (space === "regression" ? proposed?.families : undefined),
    leftOut: formula === undefined ? proposed!.leftOut : [],
  };
}

const questions: Readonly<Record<SpaceName, string>> = {
  regression: "terms and which noise explain",
  growth: "growth curve and which noise explain",
  dose_response: "dose-response curve and which noise explain",
  survival: "terms and which distribution explain the times of",
  time_series: "level, trend, season and memory foretell",
  ordinal: "terms move the levels of",
  gaussian_process: "kernel explains",
  pooling: "pooling of the groups explains",
};

const terms = "# [x] may be left out, [x | poly(x, 2)] is one of them; x:z, (1 | group), " +
  "offset(log(x)).";
const comments: Readonly<Record<SpaceName, string>> = {
  regression: terms,
  growth: "# size ~ age; curves = [...] names some of the curves.",
  dose_response: "# effect ~ dose, dead | trials(n) ~ dose; curves = [...] names some.",
  survival: `# time | event(died) ~ terms: 1 for an event, 0 for a censored row.\n${terms}`,
  time_series: "# Level, trend and memory are asked; period = 12 asks about a season, [x] about x.",
  ordinal: terms,
  gaussian_process: '# y ~ x; kernels = ["linear", "exp_quad", "matern32", "periodic"], depth = 2.',
  pooling: "# y ~ (1 | group), y | error(se) ~ (1 | group), y | trials(n) ~ (1 | group).",
};

/** @throws InputError if there is no space of a name. */
export function spaceNamed(name: string | undefined): SpaceName | undefined {
  const found = spaceNames.find((one) => one === name);
  if (found || name === undefined) return found;
  const meant = nearest(name, spaceNames);
  const hint = `${meant ? `did you mean ${meant}? ` : ""}known: ${spaceNames.join(", ")}`;
  throw inputError("space/unknown", `There is no model space "${name}"`, undefined, hint);
}

/** The note on columns that no question is about at first; undefined where there are none. */
export function leftOutNote(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const some = names.length === 1 ? "1 column is" : `${names.length} columns are`;
  return `${some} not asked about, unless --formula does: ${listed(names.map(shownName))}`;
}

/** The name of a column in sentences. */
export function shownName(name: string): string {
  return name === "" ? "(no name)" : name;
}

/** How to go on from a pipeline that was written. */
export function spaceReadme(
  name: string,
  pipeline: string,
  { formula, families }: Pick<SpacePipeline, "formula" | "families">,
  { learns = false, consent = [] }: {
    readonly learns?: boolean;
    /** Flags without which the run is refused. */
    readonly consent?: readonly string[];
  } = {},
): string {
  const does = learns
    ? "train a policy, and say how close it came"
    : "score every program, and answer";
  const asked = learns
    ? "select distinct program, log_reward from trajectory order by 2 desc limit 10"
    : "select idx, log_reward, answers from candidate order by 2 desc limit 10";
  return `# ${name}

\`${formula}\`${families ? `, with ${families.join(", ")}` : ""}; terms in brackets are uncertain.

    ${commandLine("run", pipeline, ...consent)}  # ${does}
    ${commandName()} report last --open  # the answer as a page
    ${commandName()} programs last --top 3 --out best  # the best programs, as PyMC that runs by itself
    ${commandName()} query --run last "${asked}"

Change the formula, the families or the priors of answers in the pipeline, and run it again:
programs scored before are not scored again.
`;
}

function checkResponse(columns: readonly InspectedColumn[], space: SpaceName): void {
  const { name, type, remark, range, distinct, strange, levels = range ?? [] } = columns
    .find(({ role }) => role === "response")!;
  const cannot = `Cannot explain "${name}"`;
  if (distinct === 1) {
    const message = `${cannot}: every value is ${levels[0]}`;
    throw inputError("init/response", message, undefined, "there is nothing to explain");
  }
  if (type === "category" && (space === "ordinal" || space === "regression")) return;
  if (type === "category") {
    const hint = "names are --space regression, ordered levels --space ordinal";
    throw inputError("init/response", `${cannot}: it is a category`, undefined, hint);
  }
  if (range !== undefined) return;
  const hint = distinct === 0
    ? "name another response: no row has a value of this one"
    : strange
    ? hintOfStrange(name, strange)
    : "correct these cells, or leave them empty";
  throw inputError("init/response", `${cannot}: ${remark}`, undefined, hint);
}

function noEvidenceInTime(column: string) {
  const message = `Cannot weigh programs by evidence: rows follow each other in ${column}`;
  const hint = "leave out --score: each row is predicted from those before it (ELPD-LFO)";
  return inputError("rank/evidence", message, undefined, hint);
}
