/** Puts findings about a column where the formula names it first. */
import { type Diagnostic, InputError } from "../../../base/diagnostic.ts";
import { spanOf, tokensOf } from "./tokens.ts";

/**
 * Returns the result of `make`; findings that it throws about a name of the formula,
 * `param: ["formula", name]`, get its place there.
 *
 * @throws InputError as `make` does.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { InputError } from "../../../base/diagnostic.ts";
 * import { atNames } from "./at_names.ts";
 * const found = { code: "formula/column", severity: "error", message: "…" } as const;
 * const fail = () => {
 *   throw new InputError([{ ...found, param: ["formula", "xx"] }]);
 * };
 * assert.throws(() => atNames("y ~ x + xx", fail), (error: InputError) => {
 *   return error.diagnostics[0].span?.column === 9;
 * });
 * ```
 */
export function atNames<T>(formula: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.diagnostics.map((one) => placed(formula, one)), error.sources);
  }
}

function placed(formula: string, diagnostic: Diagnostic): Diagnostic {
  const { param, ...rest } = diagnostic;
  if (param?.length !== 2 || param[0] !== "formula") return diagnostic;
  const names = [`${param[1]}`, `\`${param[1]}\``];
  const token = tokensOf(formula).find(({ text }) => names.includes(text));
  return token ? { ...rest, span: spanOf(token) } : { ...rest, param: ["formula"] };
}
