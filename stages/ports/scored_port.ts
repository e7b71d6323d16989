/** Scored sets as artifacts: trajectories and log rewards; a reward of 0 has a name, which JSON lacks. */
import { jsonPort } from "./json_codec.ts";
import type { Prompt } from "../../src/gfn/environments/mod.ts";
import type { ScoredAnswers, ScoredSet } from "./values.ts";

type Named = number | "-Infinity";

/** Trajectories, and the log rewards of their ends. */
interface RowsJson {
  readonly rows: readonly (readonly [actions: readonly number[], logReward: Named])[];
}

/** Rewards of answers to a prompt. */
interface AnswersJson extends RowsJson {
  readonly prompt: Prompt;
}

/** Content of the artifact. */
interface ScoredJson extends RowsJson {
  readonly answers?: readonly AnswersJson[];
}

/** Every reward that was asked for. */
export const scoredType = jsonPort<ScoredSet, ScoredJson>(
  "scored",
  ({ rows, answers }) => ({ ...written(rows), ...(answers && { answers: answers.map(toJson) }) }),
  ({ rows, answers }) => ({ ...read(rows), ...(answers && { answers: answers.map(fromJson) }) }),
);

const toJson = ({ prompt, rows }: ScoredAnswers) => ({ prompt, ...written(rows) });
const fromJson = ({ prompt, rows }: AnswersJson) => ({ prompt, ...read(rows) });

function written(rows: ScoredSet["rows"]): RowsJson {
  return { rows: rows.map(([actions, value]) => [actions, named(value)] as const) };
}

function read(rows: RowsJson["rows"]): Pick<ScoredSet, "rows"> {
  return { rows: rows.map(([actions, value]) => [actions, Number(value)] as const) };
}

/** @throws internal, for what is no log reward. */
export function named(value: number): Named {
  if (Number.isFinite(value)) return value;
  if (value === -Infinity) return "-Infinity";
  throw new TypeError(`internal: ${value} is no log reward`);
}
