/** Scores the programs of the corpus on experiments of their environments: `deno task corpus:scores [rows] [experiments]`. */
import { defaultSchedule } from "../../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../../src/engine/score/score.ts";
import { readCases } from "../../python/catalogue.ts";
import { datasets, rowsOf } from "../../python/corpus_data.ts";
import { environments, experimentData } from "./experiments.ts";

const rows = Number(Deno.args[0] ?? 10);
const count = Number(Deno.args[1] ?? 2);
const folder = new URL("../../python/corpus/", import.meta.url);
/** Programs that were written for this table alone, before they were scored. */
const more = new URL("./more/", import.meta.url);
const statuses = new Map<string, number>();

for (const name of Object.keys(datasets)) {
  const own = environments.includes(name);
  const texts = [folder, ...(own ? [more] : [])].map((from) =>
    Deno.readTextFileSync(new URL(`${name}.txt`, from))
  );
  for (let number = 0; number < (own ? count : 1); number++) {
    const data = own ? experimentData(name, rows, number) : datasets[name];
    for (const { title, program } of texts.flatMap(readCases)) {
      const begun = performance.now();
      const { status, score, diagnostics } = scoreNow(program, data, {
        ...defaultSchedule,
        rows: rowsOf(title),
      });
      const took = performance.now() - begun;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const why = score ? "" : diagnostics.find(({ severity }) => severity === "error")?.message;
      const cells = [
        `${name} ${number}`.padEnd(16),
        status.padEnd(14),
        (score?.looMethod ?? "").padEnd(21),
        (score?.elpdLoo ?? NaN).toFixed(3).padStart(9),
        (score?.mcse ?? NaN).toExponential(1).padStart(8),
        took.toFixed(0).padStart(6),
        title,
        why ? `: ${why}` : "",
      ];
      console.log(cells.join("  "));
    }
  }
}
const all = [...statuses.values()].reduce((a, b) => a + b, 0);
console.log(`${statuses.get("ok") ?? 0} of ${all} have a score`);
for (const [status, number] of statuses) console.log(`${status}: ${number}`);
