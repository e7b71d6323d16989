/** Prints which leave-one-out method answers how many programs of each corpus: `deno task loo:methods [most]`. */
import { defaultSchedule } from "../../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../../src/engine/score/score.ts";
import { looMethods } from "../../../../src/engine/loo/elpd.ts";
import { corpora, type Subject } from "./corpora.ts";

const most = Number(Deno.args[0] ?? 50);

/** The method that answers, or `none` with the code of the refusal. */
function methodOf({ text, data, rows }: Subject): string {
  const { score, diagnostics } = scoreNow(text, data, {
    ...defaultSchedule,
    ...(rows && { rows }),
  });
  if (score) return score.unresolved.length > 0 ? `${score.looMethod}, rows left` : score.looMethod;
  return `none: ${diagnostics.find(({ severity }) => severity === "error")?.code ?? "?"}`;
}

const counts = new Map<string, Map<string, number>>();
for (const { name, programs } of corpora) {
  const own = new Map<string, number>();
  for (const subject of programs(most)) {
    const method = methodOf(subject);
    own.set(method, (own.get(method) ?? 0) + 1);
  }
  counts.set(name, own);
  console.error(name, Object.fromEntries(own));
}

const found = [...counts.values()].flatMap((own) => [...own.keys()]);
const columns = [...new Set([...looMethods, ...found.sort()])];
const total = (method: string) =>
  [...counts.values()].reduce((sum, own) => sum + (own.get(method) ?? 0), 0);
console.log(`| method | ${corpora.map(({ name }) => name).join(" | ")} | all |`);
console.log(`| --- |${" ---: |".repeat(corpora.length + 1)}`);
for (const method of columns) {
  const cells = [...counts.values()].map((own) => own.get(method) ?? "");
  console.log(`| ${method} | ${cells.join(" | ")} | ${total(method)} |`);
}
