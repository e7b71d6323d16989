/** Estimates in the report of a run whose objects were too many to count. */
import assert from "node:assert/strict";
import type {
  CertificateEvaluation,
  CertificateMeasure,
} from "../../src/report/certificate_schema.ts";
import { printEstimates } from "../../src/report/terminal_report/estimates.ts";
import type { Terminal } from "../../src/report/terminal.ts";

function printed(evaluations: readonly CertificateEvaluation[]): string[] {
  const lines: string[] = [];
  const terminal = {
    out: (text: string) => lines.push(...text.trim().split("\n")),
    colour: { bold: (text: string) => text },
  } as unknown as Terminal;
  for (const evaluation of evaluations) printEstimates(evaluation, terminal);
  return lines;
}

const measure = (
  value: number,
  half: number,
  method = "importance sampling",
): CertificateMeasure => ({
  value,
  mcse: half / 2,
  ci_lo: value - half,
  ci_hi: value + half,
  n: 1000,
  method,
});

const evaluation = (stage: string, policy: CertificateEvaluation["policy"]) => ({
  stage,
  exact: policy.tv?.method === "exact enumeration",
  trajectories: 10,
  distinct_evaluations: 5,
  policy,
  baselines: [],
  remarks: [],
  attribution: [],
  lengths: [],
  modes: [],
});

Deno.test("every stage that estimated has its own table, with intervals and effective samples", () => {
  const lines = printed([
    evaluation("deep", { elbo_gap: measure(0.9, 0.1), ess: measure(250, 0) }),
    evaluation("evaluate", { ess: measure(31, 0), log_z: measure(7, 0.5) }),
  ]);
  assert.deepEqual(lines.map((line) => line.replace(/ {2,}/g, "  ")), [
    "Divergence from the target, estimated from samples",
    "nats  policy  interval",
    "ELBO gap, KL(policy‖target)  0.900  0.800 … 1",
    "250 effective of 1000 samples; where these are few, the EUBO gap is too small",
    "Divergence from the target, estimated from samples",
    "nats  policy  interval",
    "log Z, by importance sampling  7  6.50 … 7.50",
    "31 effective of 1000 samples; where these are few, the EUBO gap is too small",
  ]);
});

Deno.test("where everything was counted, or something else was checked, there is nothing to estimate", () => {
  const counted = evaluation("evaluate", { tv: measure(0.1, 0, "exact enumeration") });
  const checked = evaluation("integrity", { integrity_programs: measure(3, 0) });
  assert.deepEqual(printed([counted, checked]), []);
});
