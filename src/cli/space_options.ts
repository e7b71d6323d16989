/** Flags that say which space is asked of a data file, those of `rank` and `init` alike. */
import { Option } from "@commander-js/extra-typings";
import { InputError, inputError } from "../base/diagnostic.ts";
import { missingRules } from "../data/missing_rules.ts";
import type { Resolution } from "../base/dataset.ts";
import { parseTomlFile } from "../pipeline/toml/mod.ts";
import {
  parseFormula,
  type QuestionPrior,
  singleResponses,
  type SpacePriors,
} from "../gfn/spaces/mod.ts";
import { positiveNumber } from "./number_flags.ts";
import type { AskedSpace, Categories } from "./asked_space.ts";
import { spaceNamed } from "./space_pipeline.ts";

/** Flags of spaces; `askedSpace` reads what they gave. */
export const spaceOptions = {
  formula: new Option(
    "--formula <formula>",
    "response and terms, uncertain ones in brackets (default: each predictor in or out)",
  ),
  space: new Option(
    "--space <kind>",
    "kind of models: growth, survival, … (default: regression)",
  ),
  families: new Option("--families <names>", "distributions of the response, separated by commas")
    .argParser(
      namesIn,
    ),
  curves: new Option("--curves <names>", "growth, dose_response: curves").argParser(namesIn),
  kernels: new Option("--kernels <names>", "gaussian_process: kernels")
    .argParser(namesIn),
  depth: new Option("--depth <n>", "gaussian_process: 1 for single kernels, 2 for pairs as well")
    .choices(["1", "2"] as const),
  period: new Option("--period <p>", "time_series, gaussian_process: length of the season")
    .argParser(positiveNumber("--period")),
  margins: new Option("--no-margins", "allow interactions without their main effects"),
  effects: new Option(
    "--effects <which>",
    "regression: effects to report, of the terms, or all with intercept and parameters of families",
  ).choices(["terms", "all"] as const),
  prior: new Option(
    "--prior <question=value>",
    'prior probability of "in" or of each answer, widths, or "b[age] ~ Normal(0, 1)"; repeatable',
  ).argParser(priorAfter),
  time: new Option("--time <column>", "column that orders the rows in time"),
  group: new Option("--group <column>", "column of groups of rows"),
  category: new Option(
    "--category <columns>",
    'columns whose numbers are codes; "dose=low,mid,high" gives their order; repeatable',
  ).argParser(categoriesAfter),
  levels: new Option(
    "--levels <names>",
    "ordinal: levels of the response in order; survival: censored, then event",
  )
    .argParser(namesIn),
  resolution: new Option(
    "--resolution <step>",
    'step to which the response was recorded, or "continuous" (default: from its values)',
  ).argParser(resolutionOf),
  missing: new Option(
    "--missing <what>",
    "rows with missing values: refuse, drop, or model those of a measured predictor",
  ).choices(missingRules),
  na: new Option("--na <words>", "words for a missing value: .,unknown,-999")
    .argParser(namesIn),
  frequency: new Option(
    "--frequency <column>",
    "column with the number of equal rows that each row represents, as in a table of counts",
  ),
  unit: new Option("--unit <what>", "unit that cross-validation leaves out")
    .choices(["row", "group"] as const),
  confirm: new Option(
    "--confirm <share>",
    "share of rows withheld from scores, to check the most probable programs",
  ).argParser(shareOf),
  score: new Option(
    "--score <what>",
    "weights of programs: exp ELPD-LOO, or evidence, the marginal likelihood of Bayesian model averaging",
  ).choices(["elpd", "evidence"] as const).default("elpd" as const),
};

/** Values of the flags, as commander names them. */
export interface SpaceFlags extends Omit<AskedSpace, "space" | "depth" | "priors"> {
  readonly space?: string;
  readonly depth?: "1" | "2";
  readonly prior?: SpacePriors;
}

/** A formula for each response that is asked about; of a single one as it was given. */
export function formulasAsked(
  formula: string | undefined,
): readonly { readonly response: string; readonly formula?: string }[] {
  return formula === undefined ? [{ response: "" }] : singleResponses(formula);
}

/**
 * The response: as named by the flag, or the left side of the formula.
 *
 * @throws InputError if neither names it, or they name two.
 */
export function responseAsked(
  file: string,
  { response, formula }: { readonly response?: string; readonly formula?: string },
): string {
  const own = formula === undefined ? undefined : parseFormula(formula).response.column;
  if (response !== undefined && own !== undefined && own !== response) {
    const message = `Cannot use --response ${response}: the response of the formula is "${own}"`;
    throw inputError(
      "cli/response",
      message,
      undefined,
      "leave --response out, or write it in the formula",
    );
  }
  const named = response ?? own;
  if (named !== undefined) return named;
  const message = `Cannot use ${file}: no option names the response`;
  const hint = `add --response COLUMN, or --formula; sluice data ${file} shows the columns`;
  throw inputError("cli/response", message, undefined, hint);
}

/** @throws InputError if there is no such space. */
export function askedSpace(flags: SpaceFlags): AskedSpace {
  const { formula, families, curves, kernels, period, margins, time, group, resolution, unit } =
    flags;
  return {
    formula,
    families,
    curves,
    kernels,
    period,
    margins,
    effects: flags.effects,
    time,
    group,
    resolution,
    unit,
    missing: flags.missing,
    na: flags.na,
    frequency: flags.frequency,
    score: flags.score,
    confirm: flags.confirm,
    category: flags.category,
    levels: flags.levels,
    space: spaceNamed(flags.space),
    depth: flags.depth === undefined ? undefined : flags.depth === "1" ? 1 : 2,
    priors: flags.prior,
  };
}

/** Names separated by commas. */
function namesIn(text: string): readonly string[] {
  return text.split(",").map((name) => name.trim());
}

/** Columns, or one column and its levels, beside those that were named before. */
function categoriesAfter(text: string, before: Categories = new Map()): Categories {
  const [, name, levels] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  const said = name === undefined
    ? namesIn(text).map((one) => [one, undefined] as const)
    : [[name.trim(), namesIn(levels)] as const];
  return new Map([...before, ...said]);
}

/** `0.01` or `continuous`. @throws InputError for anything else. */
function resolutionOf(text: string): Resolution {
  return text === "continuous" ? text : positiveNumber("--resolution")(text);
}

/** A share of rows. @throws InputError for 0, 1, and all else. */
function shareOf(text: string): number {
  const share = Number(text);
  if (share > 0 && share < 1) return share;
  const message = `Cannot read --confirm ${
    JSON.stringify(text)
  }: wanted a share above 0 and below 1`;
  throw inputError("cli/confirm", message, undefined, "--confirm 0.2 keeps every fifth row");
}

/** One more `question=value`; questions may hold names in backticks. @throws InputError */
function priorAfter(text: string, before: SpacePriors | undefined): SpacePriors {
  const [, parameter, distribution] = /^([^=~]+)~(.+)$/s.exec(text) ?? [];
  if (parameter !== undefined) return { ...before, [parameter.trim()]: distribution.trim() };
  const [, question, value] = /^((?:`[^`]*`|[^`=])+)=(.+)$/s.exec(text) ?? [];
  if (question === undefined) throw noPrior(text);
  return { ...before, [question.trim().replace(/\s+/g, " ")]: priorValue(value, text) };
}

function priorValue(value: string, text: string): QuestionPrior {
  try {
    return parseTomlFile(`value = ${value}`, "--prior").value.value as QuestionPrior;
  } catch (error) {
    if (error instanceof InputError) throw noPrior(text);
    throw error;
  }
}

function noPrior(text: string): Error {
  const message = `Cannot read --prior ${JSON.stringify(text)}: wanted QUESTION=VALUE`;
  const hint = '"canopy=0.2", "family={ normal = 0.9, student_t = 0.1 }", "width=[0.5, 1, 2]", ' +
    '"b[age] ~ Normal(0, 1)"';
  return inputError("cli/prior", message, undefined, hint);
}
