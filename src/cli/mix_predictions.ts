/** Draws from the mixture of what several programs predict at new rows. */
import type { Dataset } from "../base/dataset.ts";
import { InputError } from "../base/diagnostic.ts";
import { finish } from "../engine/mcmc/sample_chains.ts";
import { checkProgram } from "../engine/pymc/check.ts";
import { replicate } from "../engine/predict/draws.ts";
import { rowLatent } from "../engine/predict/row_latent.ts";
import { columnsOf } from "../engine/predict/draws.ts";
import { defaultSchedule } from "../engine/score/execution.ts";
import { type Fit, fitChecked, withChains } from "../engine/score/fit.ts";
import { parameterDraws } from "../engine/score/predictive.ts";
import type { NewRows } from "./new_rows.ts";

/** A mixture's draws. */
export interface Mixed {
  /** `[draws, rows]`. */
  readonly draws: Float64Array;
  /** Share of each program that was mixed in; 0 for those left out, the others normalised. */
  readonly shares: readonly number[];
  /** Why programs were left out. */
  readonly left: readonly string[];
}

/**
 * Fits every program with a share to the data, and takes its share of `draws` at the new rows.
 * Programs that cannot be carried over to new rows are left out, and the others share their weight.
 *
 * @throws InputError, if no program can predict there.
 */
export function mixPredictions(
  texts: readonly string[],
  shares: readonly number[],
  data: Dataset,
  at: NewRows,
  draws: number,
): Mixed {
  const left: string[] = [];
  const found = texts.map((text, k) => {
    if (!(shares[k] > 0)) return undefined;
    try {
      return predictOne(text, data, at);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      left.push(`program ${k + 1} is left out: ${error.diagnostics[0].message}`);
      return undefined;
    }
  });
  const total = shares.reduce((sum, share, k) => sum + (found[k] ? share : 0), 0);
  if (!(total > 0)) {
    const message = "Cannot predict: none of the programs can be carried over to the new rows";
    throw new InputError([{ code: "predict/none", severity: "error", message, hint: left[0] }]);
  }
  const kept = shares.map((share, k) => found[k] ? share / total : 0);
  return { draws: mixture(found, kept, draws, at.rows), shares: kept, left };
}

/** Predictive draws `[draws, rows]` of one program. */
function predictOne(text: string, data: Dataset, at: NewRows): Float64Array {
  const checked = checkProgram(text, data);
  if (!checked.ok) throw new InputError(checked.diagnostics);
  const schedule = { ...defaultSchedule, draws: 500 };
  const scored = finish(fitChecked(checked.program, data, schedule));
  const fit = scored.kind === "fit" ? finish(withChains(scored, schedule)) : scored;
  if (fit.kind === "failure") throw new InputError([fit.diagnostic]);
  return replicate(fit.program, data, parameterDraws(fit), {
    key: ["predict", fit.program.hash],
    at,
    ...redrawn(fit),
  });
}

/** A latent of single rows belongs to those of the data: new rows get their own from the prior. */
function redrawn({ program, dataset }: Fit): { redraw?: number } {
  const latent = rowLatent(program, columnsOf(dataset));
  const own = latent && new Set(latent.elementOfRow).size === dataset.rows;
  return own ? { redraw: latent.parameter } : {};
}

/** Each program's share of the draws, spread evenly over its own. */
function mixture(
  found: readonly (Float64Array | undefined)[],
  shares: readonly number[],
  draws: number,
  rows: number,
): Float64Array {
  const out = new Float64Array(draws * rows);
  let used = 0;
  let reached = 0;
  for (const [k, own] of found.entries()) {
    if (!own) continue;
    reached += shares[k];
    const until = Math.min(draws, Math.round(reached * draws));
    const count = own.length / rows;
    for (let s = used; s < until; s++) {
      const from = Math.floor((s - used + 0.5) * count / (until - used)) % count;
      out.set(own.subarray(from * rows, (from + 1) * rows), s * rows);
    }
    used = until;
  }
  return out.subarray(0, used * rows);
}
