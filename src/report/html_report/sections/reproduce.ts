/** Versions, and the commands that give all of this again. */
import { shellWords } from "../../../base/shell_words.ts";
import { isMissing, type PageFacts } from "../facts.ts";
import { details, type Html, markup, tableOf } from "../html.ts";
import { many } from "../words.ts";

/** How to get the same numbers, and the versions behind them. */
export function reproduceSection(facts: PageFacts): Html {
  const { run, command, stages, statuses, params, best, data } = facts;
  const commands = [
    `${command} ${shellWords(run.argv)}`,
    `${command} report ${run.runId} --out report/`,
    `${command} report ${run.runId} --json`,
    `${command} programs ${run.runId} --out best/`,
    `${command} query --run ${run.runId} "from candidate limit 5"`,
  ];
  const versions = Object.entries(run.versions).map(([name, version]) => [name, version]);
  const engine = best[0]?.engineVersion;
  const lines = [
    ...versions,
    ...(engine ? [["engine", engine]] : []),
    ["machine", run.host],
    ["seed", `${run.seed}`],
    ...(run.gitCommit ? [["commit", run.gitCommit]] : []),
    ["stages", stages.map(({ stage, status }) => `${stage} ${status}`).join(", ")],
    ...(statuses.length > 0
      ? [[
        "executions",
        statuses.map(({ status, programs }) => `${many(programs)} ${status}`).join(", "),
      ]]
      : []),
    ...(isMissing(data) ? [] : [["data", `${data.name}, ${many(data.rows)} rows`]]),
  ];
  const values = [...params].map(([path, value]) => [markup`<code>${path}</code>`, shown(value)]);
  const words = new Set([0, 1]);
  const body = `${commands.join("\n")}\n`;
  return markup`<h2 id="reproduce">How to get this again</h2>
<p class="how">The same pipeline, seed and versions give the same numbers, on any number of
workers.</p>
<div class="code"><pre><code>${body}</code></pre></div>
${tableOf(["what", "which"], lines, words)}
${details("Every value of the pipeline", tableOf(["path", "value"], values, words))}`;
}

function shown(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value) ?? "";
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
