/** Charges the digits of a program's constants: the least that they and the loss without the others come to. */
import type { Dataset } from "../../../base/dataset.ts";
import type { Form } from "../../language/ir/code_length.ts";
import type { CheckedProgram } from "../../language/ir/program.ts";
import { constantsOf, type Unit } from "./constants.ts";
import { isComparable, type PredictedFit, predictedFit, unfit } from "./predicted_fit.ts";

/** Nats charged for a nat of log likelihood that shorter constants would lose: more than one, for a mode is no posterior. */
const forLoss = 1.25;
/** Climbs to a mode that a charge may take; constants that are not tried by then are charged as they stand. */
const mostClimbs = 240;
/** A loss below this is no loss: climbs end within it. */
const noLoss = 0.05;
/** Nats by which a mode may predict less than the score has; where it is more, no climb has found what the constants do. */
const mostMissed = 3;
/** Nats that all constants of a group may lose together when they are shortened at once. */
const littleLoss = 0.25;

/**
 * The charge for a program's constants, nats, at most 0: the prior of a program is a code length,
 * and each significant digit is one of ten. Constants are shortened as far as that pays: a digit
 * that does not change the likelihood, once the parameters have moved to make up for it, costs
 * nothing, and none costs more than 1.25 times what the fit would lose without it.
 *
 * @param elpd ELPD of the program, nats, where it is known: of a mode that falls short of it by far constants are
 * charged as they stand.
 */
export function literalsOf(program: CheckedProgram, dataset: Dataset, elpd = -Infinity): number {
  const { units, fixed } = constantsOf(program, dataset);
  const charge = units.length === 0 ? 0 : new Shortening(program, dataset, units).charge(elpd);
  return fixed + charge === 0 ? 0 : -(fixed + charge);
}

/** Which form each unit has, and the log likelihood that is left. */
interface State {
  readonly forms: readonly Form[];
  readonly fit: PredictedFit;
}

class Shortening {
  #climbs = 0;
  readonly #units: readonly Unit[];
  readonly #best: PredictedFit;
  #state: State;

  constructor(
    private readonly program: CheckedProgram,
    private readonly dataset: Dataset,
    units: readonly Unit[],
  ) {
    const asWritten = ({ forms }: Unit) => forms[forms.length - 1];
    this.#units = units.toSorted((a, b) => asWritten(b).length - asWritten(a).length);
    const forms = this.#units.map(asWritten);
    const fit = this.#fit(forms);
    this.#state = { forms, fit };
    this.#best = fit;
  }

  charge(elpd: number): number {
    const isFound = this.#best.elpd > -Infinity && this.#best.elpd >= elpd - mostMissed;
    if (isFound && isComparable(this.#state.fit)) {
      this.#shorten(this.#units.map((_, i) => i));
    }
    return this.#cost(this.#state);
  }

  #cost({ forms, fit }: State): number {
    const written = forms.reduce((sum, { length }) => sum + length, 0);
    const lost = this.#lossOf(fit);
    return written + (lost < noLoss ? 0 : forLoss * lost);
  }

  /** Nats that a fit predicts less, and once more the parameters that it has set free: saturated modes predict little. */
  #lossOf({ elpd, parameters }: PredictedFit): number {
    return this.#best.elpd - elpd + Math.max(0, parameters - this.#best.parameters);
  }

  /** All at once, if little is lost; else half of them, then the others; one alone as far as it pays. */
  #shorten(indices: readonly number[]): void {
    if (this.#climbs >= mostClimbs) return;
    if (indices.length === 1) return this.#shortenOne(indices[0]);
    const at = new Set(indices);
    const next = this.#with((i) => at.has(i) ? this.#units[i].forms[0] : undefined);
    const lost = forLoss * (this.#lossOf(next.fit) - this.#lossOf(this.#state.fit));
    if (lost <= littleLoss) {
      this.#state = next;
      return;
    }
    const half = indices.length >> 1;
    this.#shorten(indices.slice(0, half));
    this.#shorten(indices.slice(half));
  }

  /** The form that costs least with what it loses; one that costs more than that by itself is not tried. */
  #shortenOne(index: number): void {
    const { forms } = this.#state;
    const others = forms.reduce((sum, { length }, i) => i === index ? sum : sum + length, 0);
    for (const form of this.#units[index].forms) {
      if (form.length >= forms[index].length) return;
      if (others + form.length >= this.#cost(this.#state)) return;
      const next = this.#with((i) => i === index ? form : undefined);
      if (this.#cost(next) < this.#cost(this.#state)) this.#state = next;
    }
  }

  #with(change: (index: number) => Form | undefined): State {
    const forms = this.#state.forms.map((form, i) => change(i) ?? form);
    return { forms, fit: this.#fit(forms, this.#state.fit.mode) };
  }

  /** The log likelihood at the mode that is nearest to another. */
  #fit(forms: readonly Form[], from?: Float64Array): PredictedFit {
    this.#climbs++;
    try {
      return predictedFit(this.#written(forms), this.dataset, from);
    } catch { // a distribution cannot be assembled with that number: the form is skipped
      return unfit(from);
    }
  }

  #written(forms: readonly Form[]): CheckedProgram {
    const nodes = [...this.program.nodes];
    this.#units.forEach(({ node }, i) => {
      const { values } = forms[i];
      nodes[node] = { kind: "constant", args: [], shape: nodes[node].shape, values };
    });
    return { ...this.program, nodes };
  }
}
