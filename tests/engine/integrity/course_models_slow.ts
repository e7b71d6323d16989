/** Models of a course have a score, or a refusal that is right and says how to mend them. */
import assert from "node:assert/strict";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";
import { courseModels } from "./course_models/course_models.ts";

/** Programs without a score, with the replacement that their message names. */
const refused: Readonly<Record<string, RegExp>> = {
  "cherry: standardised response": /write np\.std\(/,
  "angles: one scalar variable for each row": /one variable that has an element for each/,
};
/** Twenty latents of five actors by four treatments: the default schedule's gradients do not suffice. */
const tooLong = "chimps: treatment slopes of actors, multivariate";

const models = courseModels();

Deno.test("of all models of the course two are refused, with their mend", () => {
  assert.ok(models.length >= 110);
  const found = models.flatMap(({ name, text, data, rows }) => {
    const checked = checkProgram(text, data, undefined, { rows: rows ?? "exchangeable" });
    if (checked.ok) return [];
    const [{ hint = "" }] = checked.diagnostics.filter(({ severity }) => severity === "error");
    assert.match(hint, refused[name] ?? /never/, name);
    return [name];
  });
  assert.deepEqual(found.toSorted(), Object.keys(refused).toSorted());
});

Deno.test("every sixth of them has the score that the table holds", () => {
  const known: Readonly<Record<string, readonly [elpd: number, mcse: number]>> = JSON.parse(
    Deno.readTextFileSync(new URL("./course_models/scores.json", import.meta.url)),
  );
  const sample = models.filter(({ name }, i) => i % 6 === 0 && !refused[name] && name !== tooLong);
  for (const { name, text, data, rows } of sample) {
    const { score } = scoreNow(text, data, { ...defaultSchedule, ...(rows && { rows }) });
    const [elpd, mcse] = known[name];
    assert.ok(score, name);
    assert.ok(Math.abs(score.elpdLoo - elpd) < 0.05 + 4 * (mcse + score.mcse), name);
  }
});
