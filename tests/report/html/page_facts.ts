/** Facts of a page without a run: names and programs that would break out of it, if they could. */
import { answerOf } from "../../../src/answers/mod.ts";
import type { DatasetJson } from "../../../src/base/dataset.ts";
import type { Certificate } from "../../../src/report/certificate_schema.ts";
import type { PageFacts } from "../../../src/report/html_report/facts.ts";

/** Names that a file of unknown origin may give a column, a level or a question. */
export const hostile = {
  column: `"><script>alert('column')</script>`,
  level: `</td></table><img src=x onerror=alert('level')>`,
  question: `</h3><svg onload=alert('question')>`,
  answer: `&lt;b&gt; \${alert(1)} \u202egnp.exe`,
  comment: `# </script><script>alert('program')</script><!-- ]]> <style>*{display:none}</style>`,
  stage: `javascript:alert('stage')`,
} as const;

const rows = 40;

/** A response that rises with a predictor, and a category. */
export function dataset(names: Pick<typeof hostile, "column" | "level">): DatasetJson {
  const x = Array.from({ length: rows }, (_, i) => i / 4);
  return {
    name: names.column,
    rows,
    dropped: 2,
    columns: [
      {
        name: `${names.column} y`,
        role: "response",
        type: "real",
        values: x.map((at, i) => 2 + 0.5 * at + ((i * 7) % 11) / 11),
        resolution: 0.01,
      },
      { name: names.column, role: "predictor", type: "real", values: x },
      {
        name: `${names.column} site`,
        role: "group",
        type: "category",
        values: x.map((_, i) => i % 3),
        categories: [names.level, "b", "c"],
      },
    ],
  };
}

/** An answer to two questions from four programs. */
function answer({ question, answer: name }: typeof hostile) {
  const programs = 4;
  const pointwise = Float64Array.from(
    { length: programs * rows },
    (_, at) => -1 - 0.1 * Math.floor(at / rows) - 0.01 * (at % 7),
  );
  const total = (k: number) =>
    pointwise.subarray(k * rows, (k + 1) * rows).reduce((a, b) => a + b, 0);
  const logPrior = Float64Array.from({ length: programs }, () => Math.log(1 / programs));
  return answerOf({
    programs,
    derivations: Int32Array.of(1, 1, 1, 1),
    failed: 0,
    logPrior,
    priorWeight: 1,
    logReward: logPrior.map((one, k) => one + total(k)),
    pointwise,
    rows,
    unit: "row",
    mcse: Float64Array.of(0.02, 0.02, 0.02, 0.02),
    questions: [
      {
        question,
        answers: [{ answer: name, prior: 0.5 }, { answer: "line", prior: 0.5 }],
        given: Int32Array.of(0, 0, 1, 1),
      },
      {
        question: "slope",
        answers: [{ answer: "in", prior: 0.5 }, { answer: "out", prior: 0.5 }],
        given: Int32Array.of(0, 1, 0, 1),
      },
    ],
    effects: [{
      term: hostile.column,
      against: hostile.level,
      at: null,
      ratio: "odds ratio",
      programs: Int32Array.of(0, 2),
      mean: Float64Array.of(0.5, 0.4),
      q05: Float64Array.of(0.3355, 0.2355),
      q95: Float64Array.of(0.6645, 0.5645),
    }],
  });
}

const measure = (value: number, half = 0) => ({
  ...{ value, mcse: half / 2, ci_lo: value - half, ci_hi: value + half },
  ...{ n: 4, method: "exact enumeration" },
});

/** A certificate of a policy in a stage of that name. */
export function certificate(stage: string): Certificate {
  return {
    format: 2,
    run: { run_id: "01", pipeline: "p.toml", name: "p", seed: 1, versions: { sluice: "0.1.0" } },
    evaluations: [{
      stage,
      exact: true,
      trajectories: 800,
      distinct_evaluations: 300,
      verdict: "exact",
      policy: { tv: measure(0.02), kl_target_policy: measure(0.002) },
      baselines: [
        { kind: "prior", name: "prior", measures: { tv: measure(0.7) } },
        {
          kind: "baseline",
          name: "metropolis_hastings",
          measures: { tv: measure(0.2, 0.05) },
        },
      ],
      remarks: [stage],
      attribution: [{
        prefix: [1],
        text: `${stage} · a choice with a long name`,
        kl_target_policy: 0.001,
        kl_policy_target: 0.002,
        share: 0.5,
      }],
      lengths: [3, 4, 5].map((length) => ({ length, objects: 4, target: 0.3, policy: 0.35 })),
      modes: [],
    }],
    course: [100, 200, 400].map((trajectories, i) => ({
      ...{ stage, step: i, trajectories, distinct_evaluations: 10 },
      ...{ tv: 0.5 / (i + 1), kl_target_policy: 0.2 / (i + 1) },
    })),
    artifacts: {},
  };
}

/** All parts of a page at once. */
export function pageFacts(names: typeof hostile = hostile): PageFacts {
  const data = dataset(names);
  const [response, predictor] = data.columns;
  const points = predictor.values.map((x, i) => ({ x, y: response.values[i] }));
  const average = [0, 2.5, 5, 7.5, 10].map((x) => {
    const mean = 2.5 + 0.5 * x;
    return { x, mean, q05: mean - 1, q25: mean - 0.4, q75: mean + 0.4, q95: mean + 1 };
  });
  const text = `${names.comment}\nimport pymc as pm\n`;
  return {
    run: {
      ...{ runId: "01ABCDEF", name: names.stage, pipeline: names.column, seed: 1, status: "done" },
      ...{ startedAt: "2026-01-01 00:00:00", host: "linux-x86_64" },
      versions: { sluice: "0.1.0", deno: "2.9.6" },
      argv: ["rank", names.column, "--set", "a='b'"],
    },
    params: new Map<string, unknown>([["stages.data.path", names.level], ["seed", 1]]),
    stages: [{ stage: names.stage, kind: "rank", status: "done" }],
    report: {
      answer: answer(names),
      certificate: certificate(names.stage),
      findings: { stages: [], hasPrograms: true },
    },
    best: [0, 1].map((k) => ({
      ...{ sha256: `${k}`, text, features: [names.answer], answers: [names.answer, "in"] },
      ...{ target: 0.5, modelTarget: 0.6, elpd: -41.5, se: 2.5, pLoo: 3, unit: "row" },
      ...{ method: "psis", goodK: 0.6, unresolved: 1, canonicalHash: null, engineVersion: "14" },
      paretoK: Array.from({ length: rows }, (_, i) => i === 7 ? 0.9 : 0.1),
      pointwise: Array.from({ length: rows }, (_, i) => -1 - i / 100),
    })),
    drawn: [{ text, draws: 24 }],
    byAnswer: [{ answer: names.answer, text }],
    statuses: [{ status: "ok", programs: 4 }],
    warnings: [{ stage: names.stage, level: "warning", message: names.level, times: 2 }],
    deciding: {
      question: names.question,
      answers: [names.answer, "line"],
      nats: Array.from({ length: rows }, (_, i) => (i - 20) / 40),
    },
    data,
    fits: {
      ...{ fitted: 1, failed: [names.comment], share: 0.9 },
      scene: {
        names: { x: names.column, y: `${names.column} y` },
        points,
        held: ` The other columns are held at site = ${names.level}.`,
        domain: [1, 9],
      },
      average,
      models: [names.answer, "line"].map((model) => ({ model, at: average })),
      replicated: [0, 1, 2].map((from) => ({
        ...{ from: 2 * from, to: 2 * from + 2, count: 13, lo: 8, mean: 12, hi: 17 },
      })),
      statistics: [{ name: "mean", observed: 4, predicted: 4.1, p: 0.99 }],
      pit: Array.from({ length: rows }, (_, i) => (i + 0.5) / rows),
    },
    printed: [{ code: text }, { why: names.comment }],
    command: "deno task sluice",
  };
}
