/** Proposes a model space for data without a formula. */
import type { ColumnRole, ColumnType } from "../../base/dataset.ts";
import { inputError } from "../../base/diagnostic.ts";
import { quoted } from "./formula/quoted.ts";
import { parseFormula } from "./formula/parse.ts";
import type { FamilyName } from "./regression/family_names.ts";
import { type ResponseShape, usualFamilies } from "./regression/usual_families.ts";
import type { SpaceName } from "./space_names.ts";

/** Properties of a column. */
export interface ProposedColumn {
  /** Name, as formulas write it. */
  readonly name: string;
  /** Role of the column in programs. */
  readonly role: ColumnRole;
  /** Type of its values. */
  readonly type: ColumnType;
  /** Least and greatest value, where it holds numbers. */
  readonly range?: readonly [number, number];
  /** Shape of a response of measurements. */
  readonly shape?: ResponseShape;
  /** Levels of a category of words. */
  readonly levels?: readonly string[];
  /** Whether the levels are steps of a scale. */
  readonly ordered?: true;
  /** Whether its numbers are declared to be names, with an effect of each. */
  readonly named?: true;
}

/** A formula and families to begin with. */
export interface ProposedSpace {
  /** Formula with every choice in brackets. */
  readonly formula: string;
  /** Observation models that suit the response. */
  readonly families: readonly FamilyName[];
  /** Predictors that are not in the formula, for they would make too many programs. */
  readonly leftOut: readonly string[];
}

/** Characters of a name that a formula is proposed with. */
const longestName = 500;

/** Levels up to which a column of words is a factor rather than a group. */
const fewLevels = 5;

/** Questions up to which a space is counted within a minute. */
const mostQuestions = 6;

/**
 * Every predictor in brackets, groups as varying intercepts, and the families that suit the response.
 *
 * @param formula the one to find families for, where there is one.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { proposedSpace } from "./proposed.ts";
 * const { formula, families } = proposedSpace([
 *   { name: "seen", role: "response", type: "count", range: [0, 9] },
 *   { name: "body mass", role: "predictor", type: "real", range: [1, 2] },
 *   { name: "site", role: "group", type: "category" },
 * ]);
 * assert.equal(formula, "seen ~ [`body mass`] + [(1 | site)]");
 * assert.deepEqual(families, ["poisson", "negative_binomial", "zero_inflated_poisson"]);
 * ```
 */
export function proposedSpace(
  columns: readonly ProposedColumn[],
  space: SpaceName = "regression",
  formula?: string,
): ProposedSpace {
  const response = columns.find(({ role }) => role === "response")!;
  const terms = columns.filter(({ name }) => canBeNamed(name)).flatMap((column) => {
    const { name, role } = column;
    if (isLikeGroup(column)) return [{ name, term: `[(1 | ${quoted(name)})]` }];
    return role === "predictor" ? [{ name, term: `[${quoted(name)}]` }] : [];
  });
  const few = terms.slice(0, mostQuestions);
  const asked = few.length === 0 ? "1" : few.map(({ term }) => term).join(" + ");
  const one = formula === undefined ? rightSides[space]?.(columns, response) : undefined;
  const whole = formula ?? `${quoted(response.name)}${eventOf(columns, space)} ~ ${one ?? asked}`;
  return {
    formula: whole,
    families: usualFamilies(response, parseFormula(whole)),
    leftOut: [
      ...one === undefined ? terms.slice(mostQuestions).map(({ name }) => name) : [],
      ...columns.filter(({ role, name }) => role !== "ignore" && !canBeNamed(name))
        .map(({ name }) => name),
    ],
  };
}

/** A group, or words of so many levels that an effect of each, unbound, would be many. */
function isLikeGroup({ role, levels = [], ordered, named }: ProposedColumn): boolean {
  return role === "group" ||
    role === "predictor" && levels.length > fewLevels && !ordered && !named;
}

type RightSide = (columns: readonly ProposedColumn[], response: ProposedColumn) => string;

/** Right sides of spaces that have one column there. */
const rightSides: Partial<Record<SpaceName, RightSide>> = {
  growth: (columns) => only(columns, "predictor", "size ~ age"),
  dose_response: (columns, { name, type }) =>
    only(
      columns,
      "predictor",
      type === "count" ? `${quoted(name)} | trials(n) ~ dose` : "effect ~ dose",
    ),
  gaussian_process: (columns) => only(columns, "predictor", "y ~ x"),
  pooling: (columns) => {
    const groups = columns.filter(isLikeGroup);
    const words = columns.filter(({ role, type }) => role === "predictor" && type === "category");
    const found = groups.length > 0 ? groups : words;
    return `(1 | ${
      only(found.map((one) => ({ ...one, role: "group" })), "group", "y ~ (1 | group)")
    })`;
  },
};

/** The only column of a role. @throws InputError where there is none, or several. */
function only(
  columns: readonly ProposedColumn[],
  wanted: ColumnRole,
  example: string,
): string {
  const found = columns.filter(({ role, type }) =>
    role === wanted && (wanted === "group" || type !== "category")
  );
  if (found.length === 1) return quoted(found[0].name);
  const names = found.map(({ name }) => name).join(", ") || "none";
  const message = `Cannot choose a formula: wanted one ${wanted}, found ${names}`;
  throw inputError("init/formula", message, undefined, `say it: --formula "${example}"`);
}

function eventOf(columns: readonly ProposedColumn[], space: SpaceName): string {
  if (space !== "survival") return "";
  const event = columns.find(({ role }) => role === "event");
  if (event) return ` | event(${quoted(event.name)})`;
  const message = "Cannot choose a formula: no option says which column is the event";
  const hint =
    '--formula "time | event(died) ~ [x]"; died is 1 where it happened, 0 where watching ' +
    "ended before; without event(…) it happened in every row";
  throw inputError("init/formula", message, undefined, hint);
}

/** Formulas cannot hold an empty name, nor one with a backtick, and are no longer than a page. */
function canBeNamed(name: string): boolean {
  return name !== "" && name.length <= longestName && !name.includes("`");
}
