/** Intervals of information against quadrature: discounting, whose theory has two latents. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import { designOf, rowsJson } from "../../../src/executor/play/design.ts";
import { type InputRow, randomRow } from "../../../src/executor/play/draw_rows.ts";
import type { BeliefJson } from "../../../src/executor/theories/messages.ts";
import { localTheories, shippedExperiments } from "./local_theories.ts";

const discounting = shippedExperiments().get("discounting")!;

/** Abramowitz and Stegun 7.1.26 is too rough: the series and the continued fraction of erf. */
function erf(x: number): number {
  if (Math.abs(x) > 6) return Math.sign(x);
  let [term, sum] = [x, x];
  for (let n = 1; Math.abs(term) > 1e-14; n++) {
    term *= -x * x / n;
    sum += term / (2 * n + 1);
  }
  return Math.abs(x) < 3 ? 2 / Math.sqrt(Math.PI) * sum : Math.sign(x) * (1 - tail(Math.abs(x)));
}

function tail(x: number): number {
  let fraction = 0;
  for (let n = 60; n >= 1; n--) fraction = n / 2 / (x + fraction);
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / (x + fraction);
}

const entropy = (p: number) => -(p * Math.log(p) + (1 - p) * Math.log(1 - p));

/** Midpoints of a lattice in both latents, wide and dense enough for five digits. */
const lattice = Array.from({ length: 60 }, (_, i) => {
  const z = -5 + 10 * (i + 0.5) / 60;
  return Array.from({ length: 200 }, (_, j) => {
    const a = 12 * (j + 0.5) / 200;
    const weight = Math.exp(-z * z / 2 - a * a / 8);
    return { k: Math.exp(-4.25 + 0.5 * z), alpha: a, weight };
  });
}).flat();
const mass = lattice.reduce((sum, { weight }) => sum + weight, 0);

/** Nats that a choice tells about log_k and alpha before any was seen. */
function exactNats({ immediate, delayed, days }: InputRow): number {
  let [mean, noise] = [0, 0];
  for (const { k, alpha, weight } of lattice) {
    const z = (delayed / (1 + k * days) - immediate) / alpha;
    const p = 0.01 + 0.98 * 0.5 * (1 + erf(z / Math.SQRT2));
    mean += p * weight / mass;
    noise += entropy(p) * weight / mass;
  }
  return entropy(mean) - noise;
}

/** Candidates that tell anything: of the others the mean over draws hangs on a few rare latents. */
const leastNats = 0.01;

Deno.test("intervals of 100 candidates hold the information by quadrature for 90, and are narrow", async () => {
  const random = new RandomStream("quadrature");
  const drawn = Array.from({ length: 600 }, () => randomRow(discounting, random));
  const candidates = drawn.map((row) => ({ row, exact: exactNats(row) }))
    .filter(({ exact }) => exact >= leastNats).slice(0, 100);
  assert.equal(candidates.length, 100);
  const at = rowsJson(candidates.map(({ row }) => row), discounting);
  const none = Object.fromEntries(Object.keys(at.columns).map((name) => [name, []]));
  for (const key of ["one", "two"]) {
    const { nats } = await localTheories.ask(discounting.program, {
      op: "belief",
      design: designOf(discounting),
      theories: [{ text: discounting.program, prior: 1 }],
      seen: { rows: 0, columns: none, response: [] },
      particles: 8192,
      key: [key],
      candidates: { at, about: "latents", draws: 4096, half: 0 },
    }) as BeliefJson;
    const held = nats!.filter(({ low, high }, i) =>
      low <= candidates[i].exact && candidates[i].exact <= high
    );
    const narrow = nats!.filter(({ low, high }) => high - low <= 0.05);
    assert.ok(held.length >= 90, `${held.length} hold it`);
    assert.ok(narrow.length >= 90, `${narrow.length} are narrow`);
  }
});
