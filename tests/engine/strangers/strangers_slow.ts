/** Scores programs in the styles of forums, courses and other packages: nine of ten, or more. */
import assert from "node:assert/strict";
import { scoresOf } from "./score_strangers.ts";

/**
 * ELPD-LOO by other means: the normal likelihood in closed form given the noise and 4,000 points of that, grids over the
 * two or three parameters of the others (NumPy 2.4.6, SciPy 1.17, patsy 1.0.3).
 */
const exact: Readonly<Record<string, number>> = {
  "plants: standardised, as in Rethinking": -73.3707,
  "plants: standardised by a function": -19.4851,
  "plants: groups centred by groupby": -18.7963,
  "plants: spline by patsy": -67.7962,
  "cells: two factors by factorize index a matrix": -23.907,
  "people: the data have the name data": -166.4843,
  "people: new data after sampling": -131.5204,
  "people: min-max scaled response": -131.5187,
  "short_series: a level that walks (ordered)": -26.4885,
  "visits: zeros by a mixture with a point": -94.2536,
  "directions: a mean on the circle": -33.1626,
  "autoregression: a latent autoregression (ordered)": -22.086,
};

/** Refused by rule: a response that loses levels, rows that are left out, limits made of the response. */
const forbidden: ReadonlySet<string> = new Set([
  "careers: three words become two",
  "plants: one species is left out of the model",
  "lifetimes: censored from above",
  "ratings: raters in a hierarchy, words by astype",
]);

Deno.test("of the programs that PyMC builds and no rule forbids, nine of ten are scored", async () => {
  const [scored, others]: [string[], string[]] = [[], []];
  for await (const { title, execution } of scoresOf()) {
    const { status, score, diagnostics } = execution;
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    if (forbidden.has(title)) {
      assert.equal(errors.length, 1, title);
      assert.match(errors[0].code, /^lh\//, title);
      continue;
    }
    (status === "ok" ? scored : others).push(title);
    const wanted = exact[title];
    if (score && wanted !== undefined) {
      const far = Math.abs(score.elpdLoo - wanted);
      assert.ok(
        far < 4 * score.mcse + 0.02,
        `${title}: ${score.elpdLoo} ± ${score.mcse}, ${wanted}`,
      );
    }
  }
  assert.ok(scored.length >= 9 * others.length, others.join("; "));
});
