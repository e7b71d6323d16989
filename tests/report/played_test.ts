/** Experiments that were played, as Markdown and as HTML. */
import assert from "node:assert/strict";
import { playedSection } from "../../src/report/html_report/sections/played.ts";
import { markdownOf } from "../../src/report/markdown_report/whole.ts";
import { playedView, readPlayed } from "../../src/report/played.ts";
import type { RunReport } from "../../src/report/report.ts";
import type { Row } from "../../src/report/rows.ts";

const episode = (stage: string, number: number, nats: number) => ({
  ...{ experiment: "dug|ongs", stage, agent: stage, seed: 1, episode: number, nats },
  ...{ error: 0.1, oracle_error: 0, constant_error: 1, refusals: 0, true_share: null },
  ...{ log_score: -1.5, oracle_log_score: -1 },
});
const rows = [0, 1, 2].flatMap((i) => [episode("random", i, i), episode("<b>grid</b>", i, i + 2)]);
const readRows = async (rows: readonly Row[]) =>
  await readPlayed((sql) =>
    Promise.resolve(
      sql.includes("from episode") ? rows : [{ name: "dug|ongs", error: "squared" }],
    )
  );
const played = await readRows(rows);

Deno.test("Markdown has a table of agents for each experiment, and who asked best", () => {
  const text = markdownOf({ played, findings: { stages: [] } } as unknown as RunReport)!;
  assert.match(text, /^# Experiments that were played\n\n## Experiment dug\\\|ongs\n/);
  assert.match(text, /\n\| \\<b\\>grid\\<\/b\\> \| 3\.00 \(2\.00 … 4\.00\) \| 0\.100/);
  assert.match(
    text,
    /asked better than random by 2\.00 nats an episode \(95 % from 2\.00 to 2\.00\)/,
  );
});

Deno.test("the page has them too, names as they are and no markup in them", () => {
  const { text } = playedSection(played)!;
  assert.match(text, /<h3>dug\|ongs: 3 episodes an agent, best askers first<\/h3>/);
  assert.match(text, /<td>&lt;b&gt;grid&lt;\/b&gt;<\/td>/);
  assert.ok(!text.includes("<b>grid"));
  assert.equal(playedSection([]), undefined);
});

Deno.test("agents are compared by errors where nats of one are not known, those without any last", async () => {
  const none = { nats: null, error: null, oracle_error: null, constant_error: null };
  const [one] = await readRows([0, 1, 2].flatMap((i) => [
    { ...episode("silent", i, 0), ...none },
    { ...episode("asker", i, 5), error: 0.3 },
    { ...episode("guesser", i, 0), nats: null, error: 0.1 },
  ]));
  assert.deepEqual(one.agents.map(({ stage }) => stage), ["guesser", "asker", "silent"]);
  const { order, sentences } = playedView(one);
  assert.equal(order, "least error first");
  assert.equal(sentences.length, 1);
  assert.match(sentences[0], /^guesser answered better than asker by 0\.200 of error an episode/);
});

Deno.test("a run that played nothing has no such part", () => {
  assert.equal(markdownOf({ findings: { stages: [] } } as unknown as RunReport), undefined);
});
