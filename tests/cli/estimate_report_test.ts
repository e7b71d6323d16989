/** Estimates in the report of a run whose objects were too many to count. */
import assert from "node:assert/strict";
import { printEstimates } from "../../src/cli/estimate_report.ts";
import type { Terminal } from "../../src/cli/terminal.ts";

function printed(rows: readonly Readonly<Record<string, unknown>>[]): Promise<string[]> {
  const lines: string[] = [];
  const terminal = {
    out: (text: string) => lines.push(...text.trim().split("\n")),
    colour: { bold: (text: string) => text },
  } as unknown as Terminal;
  return printEstimates(() => Promise.resolve(rows), terminal).then(() => lines);
}

const row = (stage: string, name: string, value: number, half: number) => {
  return { stage, name, value, ci_lo: value - half, ci_hi: value + half, n: 1000 };
};

Deno.test("every stage that estimated has its own table, with intervals and effective samples", async () => {
  const lines = await printed([
    row("deep", "elbo_gap", 0.9, 0.1),
    row("deep", "ess", 250, 0),
    row("evaluate", "ess", 31, 0),
    row("evaluate", "log_z", 7, 0.5),
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

Deno.test("where everything was counted, there is nothing to estimate", async () => {
  assert.deepEqual(await printed([]), []);
});
