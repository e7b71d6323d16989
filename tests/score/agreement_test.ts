/** Agreement with PyMC, nutpie and ArviZ: the same programs, the same leave-one-out fit. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { defaultSchedule } from "../../src/score/execution.ts";
import { scoreNow } from "../../src/score/score.ts";
import { dugongs } from "../density/data.ts";

interface GoldenElpd {
  programs: { text: string; elpd: number; mcse: number; elpd_pointwise: number[] }[];
}

const golden: GoldenElpd = JSON.parse(
  readFileSync(new URL("../golden/dugongs_elpd.json", import.meta.url), "utf8"),
);

Deno.test("ELPD-LOO agrees with PyMC's within the Monte Carlo errors of both", () => {
  const zs = golden.programs.map(({ text, elpd, mcse }) => {
    const { score, diagnostics } = scoreNow(text, dugongs(), defaultSchedule);
    assert.ok(score, diagnostics.map((d) => d.message).join("; "));
    return (score.elpdLoo - elpd) / Math.hypot(score.mcse, mcse);
  });
  // Standard errors are themselves estimated, from four seeds on PyMC's side.
  for (const [k, z] of zs.entries()) assert.ok(Math.abs(z) < 5, `program ${k}: z = ${z}`);
  const meanSquare = zs.reduce((sum, z) => sum + z * z, 0) / zs.length;
  assert.ok(meanSquare < 4, `mean square of z over ${zs.length} programs: ${meanSquare}`);
});
