/** Reads model space and data file from the options of the command line. */
import type { MissingRule } from "../data/missing_rules.ts";
import type { Resolution } from "../base/dataset.ts";
import type { ScoreChoice } from "./pseudo_bma.ts";
import type { SpaceSpec } from "../gfn/spaces/mod.ts";

/** Columns that the user declares categories; their levels, or undefined for those that there are. */
export type Categories = ReadonlyMap<string, readonly string[] | undefined>;

/** Request about a data file: of a space, all its keys; regressions, if it is not named. */
export interface AskedSpace extends Partial<SpaceSpec> {
  /** The column that orders the rows in time. */
  readonly time?: string;
  /** The column that groups rows. */
  readonly group?: string;
  /** Of an ordinal response: its levels in their order. Of an event: its absence, then its presence. */
  readonly levels?: readonly string[];
  /** Columns whose values are names, with their levels in order where the user gives it. */
  readonly category?: Categories;
  /** Of the response; as its values show, if left out. */
  readonly resolution?: Resolution;
  /** Treatment of rows that lack a value: left out, or given a parameter for it. */
  readonly missing?: MissingRule;
  /** Words of the file for a missing value. */
  readonly na?: readonly string[];
  /** Column of frequencies: equal rows that each row stands for. */
  readonly frequency?: string;
  /** Unit that cross-validation leaves out at once. */
  readonly unit?: "row" | "group";
  /** Score by which programs are weighted; ELPD, if left out. */
  readonly score?: ScoreChoice;
  /** Share of the rows that no score and no choice reads. */
  readonly confirm?: number;
}
