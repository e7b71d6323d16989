/** The Markdown of a report: names that would be taken for Markdown, and runs of a loop alone. */
import assert from "node:assert/strict";
import type { Certificate } from "../../src/report/certificate_schema.ts";
import type { Findings } from "../../src/report/findings.ts";
import { markdownReport } from "../../src/report/markdown_report/report.ts";

const exact = (value: number | "Infinity") => {
  const interval = { ci_lo: value, ci_hi: value };
  return { value, mcse: 0, ...interval, n: 4, method: "exact enumeration" };
};

const certificate = (evaluations: Certificate["evaluations"]): Certificate => ({
  format: 2,
  run: { run_id: "01", pipeline: "p.toml", name: "p", seed: 1, versions: { sluice: "0.1.0" } },
  evaluations,
  course: [{ stage: "train.progress", step: 2, trajectories: 8, distinct_evaluations: 3, tv: 0.5 }],
  artifacts: {},
});

const evaluation = (key: string): Certificate["evaluations"][number] => ({
  stage: "evaluate",
  exact: true,
  trajectories: 8,
  distinct_evaluations: 3,
  policy: { tv: exact(0.25), log_z: exact(1) },
  baselines: [
    {
      kind: "compared",
      name: key,
      measures: { tv: exact(0.75), kl_target_policy: exact("Infinity") },
    },
    { kind: "floor", name: "own_floor", measures: { tv: exact(0.5) } },
  ],
  remarks: [],
  attribution: [],
  lengths: [],
  modes: [],
});

const program = {
  text: "",
  features: ["a_b", "c|d"],
  unit: "row",
  elpd_loo: -1,
  target: 0.5,
  policy: 0.25,
};

const findings: Findings = {
  stages: [{
    stage: "evaluate",
    programs: [{ ...program, difference: 0, difference_se: 0 }],
    productions: [{ production: "c|d", prior: 0.5, target: 0.75, policy: 0.7 }],
  }],
  hasPrograms: true,
};

Deno.test("names of the user's stand in the tables as they are, whatever they look like", () => {
  const one = certificate([evaluation("a|b <img> *x*")]);
  const lines = markdownReport({ certificate: one, findings }, []).split("\n");
  const shown = [
    "|  | policy | a\\|b \\<img\\> \\*x\\* | own floor |",
    "| --- | --: | --: | --: |",
  ];
  const at = lines.indexOf(shown[0]);
  assert.deepEqual(lines.slice(at, at + 4), [
    ...shown,
    "| total variation | 0.25 | 0.75 | 0.5 |",
    "| KL(target‖policy), nats |  | ∞ |  |",
  ]);
  const meaning = "- **a\\|b \\<img\\> \\*x\\***: a policy that the pipeline names in `compare`";
  assert.ok(lines.includes(meaning));
  assert.ok(lines.includes("| a\\_b c\\|d | -1.00 |  | 50.0 % | 25.0 % |"));
  assert.ok(lines.includes("| c\\|d | 50.0 % | 75.0 % | 70.0 % |"));
});

Deno.test("a run that evaluated in its loop alone has its course", () => {
  const none = { stages: [], hasPrograms: false };
  const text = markdownReport({ certificate: certificate([]), findings: none }, []);
  assert.match(
    text,
    /## As training went on\n\n\| stage \|.*\n.*\n\| train\.progress \| 2 \| 8 \| 3 \| 0\.5 \|/,
  );
});

Deno.test("a report says how old batches were, where they were not fresh", () => {
  const fresh = certificate([evaluation("plain")]);
  const old = { ...fresh, staleness: [{ stage: "train.judge", steps: 4 }] };
  const said = /Trajectories of `train.judge` were up to 4 steps old when they were learned from\./;
  const empty = { stages: [], hasPrograms: false };
  assert.match(markdownReport({ certificate: old, findings: empty }, []), said);
  assert.doesNotMatch(markdownReport({ certificate: fresh, findings: empty }, []), /steps old/);
});
