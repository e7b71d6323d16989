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
    "Divergence from the target, estimated from samples (gaps, log Z in nats)",
    "policy  interval",
    "ELBO gap, KL(policy‖target)  0.900  0.800 … 1",
    "250 effective of 1000 samples from the policy, blind to what it never visits",
    "Divergence from the target, estimated from samples (gaps, log Z in nats)",
    "policy  interval",
    "log Z  7  6.50 … 7.50",
    "31 effective of 1000 samples from the policy, blind to what it never visits",
  ]);
});

Deno.test("verdict, bounds and explorers stand below the estimates; open intervals do not end", () => {
  const open = { ...measure(3.2, 0.1), ci_hi: "Infinity" as const };
  const lines = printed([{
    ...evaluation("evaluate", {
      ess: measure(250, 0),
      log_z: open,
      tv_lower: { ...measure(0.42, 0, "bound from 90 rewards"), ci_hi: 1 },
      log_z_lower: measure(3.1, 0),
      log_reward_mcse: measure(0.05, 0),
      unscored_prior: measure(0.805, 0),
      unscored_objects: { ...measure(3296, 0), n: 4096 },
      unseen_prior: { ...measure(0.113, 0), n: 25 },
    }),
    verdict: "bounded",
    not_counted: "7 objects are not counted: estimated; to count them takes count.seconds = 7",
    explorers: [{
      name: "local_search",
      consults_policy: false,
      evaluations: 12,
      reliable: false,
      found_missed: 0.481,
    }],
  }]);
  assert.deepEqual(lines.map((line) => line.replace(/ {2,}/g, "  ")).slice(2), [
    "total variation, at least  0.420  0.420 … 1",
    "log Z  3.20  3.10 …",
    "Verdict: bounded: the policy is off by at least the bound below",
    "total variation at least 0.420 (bound from 90 rewards); log Z at least 3.100; " +
    "log rewards as recorded, each ± 0.050",
    "Not excluded: anything among the 3296 of 4096 objects (80.5 % of the prior) that were not scored; " +
    "regions of up to 11.3 % prior mass may be unseen by 25 draws from the prior (95 %), with any reward",
    "7 objects are not counted: estimated; to count them takes count.seconds = 7",
    "explorer  asks the policy  asked  log Z  policy misses",
    "local search (unreliable)  no  12  found 48.1 %",
    "250 effective of 1000 samples from the policy, blind to what it never visits",
  ]);
});

Deno.test("where everything was counted, or something else was checked, there is nothing to estimate", () => {
  const counted = evaluation("evaluate", { tv: measure(0.1, 0, "exact enumeration") });
  const checked = evaluation("integrity", { integrity_programs: measure(3, 0) });
  assert.deepEqual(printed([counted, checked]), []);
});
