/** Formulas of several responses as a formula for each. */
import { tokensOf } from "./tokens.ts";

/**
 * `mvbind(a, b) ~ x` of brms, the same right side for each response; one formula as it is. Responses are modelled
 * apart, each on the rows that it has, without their correlation. `response` is as written, and
 * empty where there is one.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { singleResponses } from "./several.ts";
 * const both = singleResponses("mvbind(mass, log(length)) ~ [age]");
 * assert.deepEqual(both.map(({ formula }) => formula), ["mass ~ [age]", "log(length) ~ [age]"]);
 * assert.deepEqual(singleResponses("mass ~ age").length, 1);
 * ```
 */
export function singleResponses(
  formula: string,
): readonly { readonly response: string; readonly formula: string }[] {
  const tokens = tokensOf(formula);
  const whole = [{ response: "", formula }];
  if (tokens[0].text !== "mvbind" || tokens[1].text !== "(") return whole;
  const characters = [...formula];
  const cut = (from: number, to: number) => characters.slice(from - 1, to - 1).join("").trim();
  const responses: string[] = [];
  let [depth, start] = [0, tokens[1].column + 1];
  for (const { text, kind, column } of tokens.slice(1)) {
    if (kind === "end") break;
    if (text === "(") depth++;
    if (text === ")") depth--;
    if ((text === "," && depth === 1) || depth === 0) {
      responses.push(cut(start, column));
      start = column + 1;
    }
    if (depth === 0) break;
  }
  const rest = characters.slice(start - 1).join("").trim();
  if (depth > 0 || responses.some((one) => one === "")) return whole;
  return responses.map((response) => ({ response, formula: `${response} ${rest}` }));
}
