/** Prints the score or the refusal of every course model: `deno run score_main.ts [NAME]`. */
import { defaultSchedule } from "../../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../../src/engine/score/score.ts";
import { courseModels } from "./course_models.ts";

const [only = ""] = Deno.args;
for (const { name, text, data, rows } of courseModels()) {
  if (!name.includes(only)) continue;
  const begun = performance.now();
  const { score, diagnostics } = scoreNow(
    text,
    data,
    rows ? { ...defaultSchedule, rows } : defaultSchedule,
  );
  const error = diagnostics.find(({ severity }) => severity === "error");
  console.log(JSON.stringify({
    name,
    ...(score
      ? { elpd: +score.elpdLoo.toFixed(3), mcse: +score.mcse.toFixed(3), method: score.looMethod }
      : { refused: error?.code ?? "?", message: error?.message, hint: error?.hint }),
    seconds: +((performance.now() - begun) / 1000).toFixed(1),
  }));
}
