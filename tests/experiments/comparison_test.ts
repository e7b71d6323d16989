/** Comparisons of settings: pairing by seed, and no winner whose interval holds zero. */
import assert from "node:assert/strict";
import { compareSettings } from "../../src/experiments/compare/comparison.ts";
import { curvesOf } from "../../src/experiments/compare/curves.ts";
import { finalOnly } from "../../src/experiments/compare/measures.ts";
import { reportCsv } from "../../src/experiments/compare/report_csv.ts";
import { reportHtml } from "../../src/experiments/compare/report_html.ts";
import { reportMarkdown } from "../../src/experiments/compare/report_markdown.ts";
import { sweepReport } from "../../src/experiments/compare/sweep_report.ts";

const values = (setting: string, all: readonly number[], measure = "tv", stage = "evaluate") =>
  all.map((value, seed) => ({ setting, seed: `${seed}`, stage, measure, value }));

const noise = [0.5, 0.9, 0.1, 0.7, 0.3, 0.6];

Deno.test("a shift that is the same for each seed is told, however much the seeds differ", () => {
  const measured = [...values("a", noise), ...values("b", noise.map((x, i) => x - 0.1 - i / 1e4))];
  const [{ differences, winner, settings }] = compareSettings(measured, ["a", "b"]);
  assert.equal(differences.length, 1);
  assert.equal(differences[0].told, true);
  assert.equal(winner, "b");
  assert.ok(settings[0].lo! < settings[1].mean, "unpaired, the intervals overlap");
});

Deno.test("where the difference's interval holds zero, nothing is named", () => {
  const other = noise.toReversed().map((x) => x - 0.02);
  const [{ differences, winner }] = compareSettings(
    [...values("a", noise), ...values("b", other)],
    ["a", "b"],
  );
  assert.deepEqual([differences[0].told, winner], [false, null]);
});

Deno.test("a winner beats every other setting, not the baseline alone", () => {
  const measured = [
    ...values("a", noise),
    ...values("b", noise.map((x, i) => x - 0.1 - i / 1e4)),
    ...values("c", noise.map((x, i) => x - 0.1 + (i % 2 ? 1 : -1) / 1e3)),
  ];
  const [{ differences, winner }] = compareSettings(measured, ["a", "b", "c"]);
  assert.deepEqual(differences.map(({ told }) => told), [true, true]);
  assert.equal(winner, null, "b and c cannot be told apart");
});

Deno.test("pairs are seeds that both have; of one seed there is no interval", () => {
  const measured = [...values("a", [1, 2, 3]), ...values("b", [5])];
  const [{ differences, winner }] = compareSettings(measured, ["a", "b"]);
  assert.deepEqual([differences[0].n, differences[0].mean, differences[0].lo], [1, 4, null]);
  assert.equal(winner, null);
});

Deno.test("of a measure that is neither better small nor large nothing is named", () => {
  const measured = [
    ...values("a", noise, "log_z"),
    ...values("b", noise.map((x) => x + 9), "log_z"),
  ];
  const [{ better, winner }] = compareSettings(measured, ["a", "b"]);
  assert.deepEqual([better, winner], [0, null]);
});

Deno.test("stages of a loop give the course, and the last value only where no stage outside does", () => {
  const inside = values("a", [1], "tv", "train.progress");
  assert.deepEqual(finalOnly([...inside, ...values("a", [2])]), values("a", [2]));
  assert.deepEqual(finalOnly(inside), inside);
});

Deno.test("a course goes over steps in their order, with NaN left out", () => {
  const at = (seed: string, step: number, value: number) => {
    return { setting: "a", seed, stage: "t", measure: "tv", step, value };
  };
  const [{ points }] = curvesOf([at("0", 2, 4), at("0", 1, 1), at("1", 2, 8), at("1", 1, NaN)]);
  assert.deepEqual(points, [
    { step: 1, n: 1, mean: 1, lo: 1, hi: 1 },
    { step: 2, n: 2, mean: 6, lo: 4, hi: 8 },
  ]);
});

Deno.test("a report has all of it in four forms, and markup of a setting stays text", async () => {
  const set = (name: string, seed: number) => ({ "stages.a.kind": name, seed });
  const names = ["one", "<b>two|"];
  const status = names.flatMap((name, i) =>
    [0, 1, 2].map((seed) => {
      return { point: 3 * i + seed, set: set(name, seed), state: "done", run: `${name}${seed}` };
    })
  ) as never;
  const rows = names.flatMap((name, i) =>
    [0, 1, 2].map((seed) => {
      const value = i + seed / 100;
      return { run_id: `${name}${seed}`, stage: "evaluate", measure: "tv", step: 0, value };
    })
  );
  const ask = (sql: string) =>
    Promise.resolve(
      sql.includes("step > 0") ? rows.map((r) => ({ ...r, step: r.value * 100 })) : rows,
    );
  const sweep = { sweep: "s-1", pipeline: "p.toml", points: [{}, {}, {}, {}, {}, {}] } as never;
  const report = await sweepReport({ sweep, status, ask });
  assert.deepEqual(report.settings.map(({ name, done }) => [name, done]), [
    ["a.kind=one", 3],
    ["a.kind=<b>two|", 3],
  ]);
  const markdown = reportMarkdown(report);
  assert.match(markdown, /^# Sweep s-1\n\n6 points of `p\.toml`: 6 done\. 2 settings\./);
  assert.match(markdown, /Better than every other: a\.kind=one\./);
  assert.match(markdown, /a\.kind=<b>two\\\|/);
  assert.match(
    reportCsv(report),
    /^setting,seed,stage,measure,value\na\.kind=one,0,evaluate,tv,0\n/,
  );
  const html = reportHtml(report);
  assert.ok(!html.includes("<b>two") && html.includes("&lt;b&gt;two"));
  assert.match(html, /<svg /);
  assert.equal(
    (await sweepReport({ sweep, status, ask, against: "a.kind=<" })).baseline,
    names[1] && "a.kind=<b>two|",
  );
});
