/** The response as a program observes it: the column, or a function of it. */
import type { ResponseStep, ResponseTransform } from "../ir/response_transform.ts";
import { CannotPrint } from "./cannot_print.ts";
import { numberText } from "./literals.ts";

/**
 * Python that reads back as these steps.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { transformText } from "./response.ts";
 * const steps = [{ kind: "add", by: -3 }, { kind: "log" }] as const;
 * assert.equal(transformText('data["y"]', steps), 'np.log(data["y"] + -3)');
 * ```
 */
export function transformText(column: string, transform: ResponseTransform = []): string {
  return transform.reduce(stepText, column);
}

function stepText(inner: string, step: ResponseStep, at: number): string {
  const operand = at === 0 || /^np\.\w+\([^()]*\)$/.test(inner) ? inner : `(${inner})`;
  switch (step.kind) {
    case "log":
    case "log1p":
    case "exp":
    case "expm1":
    case "reciprocal":
      return `np.${step.kind}(${inner})`;
    case "power":
      return `${operand} ** ${numberText(step.by)}`;
    case "add":
      return `${operand} + ${numberText(step.by)}`;
    case "multiply":
      return `${operand} * ${numberText(step.by)}`;
    case "logit":
      throw new CannotPrint("a logit of the response");
  }
}
