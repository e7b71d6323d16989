/** Built-in judges that have settings: a line each. */
import { compositeJudge, type CompositePart } from "./composite.ts";
import { formatJudge, type FormatSettings } from "./format.ts";
import type { Judge } from "./judge.ts";
import { llmCriticJudge, type LlmCriticSettings } from "./llm_critic.ts";
import { rubricJudge, type RubricSettings } from "./rubric.ts";

/** A judge of a text as a target writes it. */
export type TextJudgeSpec =
  | { readonly judge: "format" } & FormatSettings
  | { readonly judge: "rubric" } & RubricSettings
  | { readonly judge: "llm_critic" } & LlmCriticSettings;

/** A judge with settings as a target writes it, but for its weight. */
export type SettledJudgeSpec =
  | TextJudgeSpec
  | {
    readonly judge: "composite";
    readonly by: "sum" | "log_product";
    readonly parts: readonly (
      & TextJudgeSpec
      & { readonly name?: string; readonly weight: number }
    )[];
  };

/** All of them. */
export const settledJudgeNames = ["format", "rubric", "llm_critic", "composite"] as const;

/**
 * The judge of these settings; `name` distinguishes it from others of the same target.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { settledJudge } from "./settled_judges.ts";
 * const judge = settledJudge("shape", { judge: "format", most_characters: 2000 } as never);
 * assert.equal(judge.name, "shape");
 * ```
 */
export function settledJudge(name: string, spec: SettledJudgeSpec): Judge {
  switch (spec.judge) {
    case "format":
      return formatJudge(name, spec);
    case "rubric":
      return rubricJudge(name, spec);
    case "llm_critic":
      return llmCriticJudge(name, spec);
    case "composite":
      return compositeJudge(name, spec.by, spec.parts.map(partOf));
  }
}

function partOf(
  spec: TextJudgeSpec & { readonly name?: string; readonly weight: number },
): CompositePart {
  return { judge: settledJudge(spec.name ?? spec.judge, spec), weight: spec.weight };
}
