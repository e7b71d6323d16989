/** Steps from a policy's answer to counting: detector, trials, surrogate, count; each with its reason. */
import type { TerminalObject } from "../../src/gfn/environments/mod.ts";
import { activeSurrogate, defaultSurrogate } from "../../src/gfn/evaluation/mod.ts";
import { inclusionOf, normalised } from "../../src/gfn/train/mod.ts";
import { log, logSumExp } from "../../src/numerics/math/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { foretoldBy, type PolicyAnswer } from "../common/policy_answer.ts";
import type { Candidate, CandidateSpace } from "../evaluation/candidates.ts";
import type { ProgramTarget } from "../ports/values.ts";
import {
  drawnPlaces,
  goodK,
  goodShare,
  isGood,
  likeliest,
  type TrialWeights,
  weightsOf,
} from "./by_policy.ts";

/** One step, and whether the answer could end there. */
export interface EscalationStep {
  readonly step: "detector" | "trials" | "surrogate" | "count";
  readonly passed: boolean;
  /** Distinct programs that were executed until then. */
  readonly executed: number;
  /** In words. */
  readonly said: string;
}

/** Executes programs, and holds their rewards. */
export interface Executing {
  /** Executes them, as far as the budget reaches. */
  score(candidates: readonly Candidate[]): Promise<void>;
  /** Log rewards of executed programs, by the place of their candidates. */
  known(): ReadonlyMap<number, number>;
  executed(): number;
  /** Executions that may be spent in all; Infinity if nothing limits them. */
  readonly executions: number;
}

/** Total variation that a surrogate has to expect of itself at most. */
const wantedTv = 0.02;

/** Search of the surrogate: by default but for its depth, which is that of predicted means. */
const search = { ...defaultSurrogate, growth: 0.15, depth: 60, first: 0 } as const;

/**
 * Executes the programs that the policy drew and tests its answer. Where everything can be counted
 * within the budget, counting follows in any case; otherwise the rest of the budget is spent in the
 * order of the policy's shares, if its answer holds, or as a surrogate chooses that begins with it.
 */
export class Escalation {
  readonly #steps: EscalationStep[];
  readonly #places: ReadonlyMap<number, number>;

  constructor(
    readonly context: StageContext,
    readonly target: ProgramTarget,
    readonly space: CandidateSpace,
    readonly answer: PolicyAnswer,
    readonly executing: Executing,
  ) {
    const { distance, reach, isLike: passed, reasons } = answer.likeness;
    const far = Math.max(distance, reach).toFixed(1);
    const said = passed
      ? `data within the range of its training, at ${far} of its bounds`
      : `the policy does not answer: ${reasons.join("; ")}`;
    this.#steps = [{ step: "detector", passed, executed: 0, said }];
    this.#places = new Map(space.candidates.map(({ index }, place) => [index, place]));
  }

  /** The trials; then the surrogate, where the answer does not hold and not all can be counted. */
  async run(): Promise<void> {
    const { candidates } = this.space;
    if (!this.answer.likeness.isLike) return;
    const drawn = drawnPlaces(this.answer);
    await this.executing.score([...new Set(drawn)].map((place) => candidates[place]));
    const weights = this.#weightsOf(drawn);
    if (!weights) return;
    this.#tellTrials(weights);
    const isCounted = this.executing.executions >= candidates.length;
    if (!isGood(weights) && !isCounted) await this.#search();
  }

  /** Reports the step at which the answer ended, and the shares of programs there. */
  end(left: number): void {
    const { candidates } = this.space;
    if (left === 0) this.#step("count", true, `all ${candidates.length} programs executed`);
    else if (!this.answer.likeness.isLike) this.#step("count", false, `${left} programs left`);
    const { step, passed } = this.#steps.at(-1)!;
    const by = passed && step !== "detector" ? step : "none";
    const logShares = this.#shares();
    const { answers, programs, marks } = this.answer;
    const inclusion = inclusionOf(programs, logShares, answers.length, marks);
    const detail = {
      by,
      steps: this.#steps,
      inclusion: answers.map((named, j) => ({ ...named, probability: inclusion[j] })),
      likeliest: likeliest({ ...this.answer, logShares }),
    };
    const level = by === "none" ? "warning" : "info";
    const message = `the answer ended with ${words[by]}: ${this.#steps.at(-1)!.said}`;
    this.context.rows("event", [{ level, kind: "policy_escalation", message, detail }]);
  }

  #weightsOf(drawn: readonly number[]): TrialWeights | undefined {
    const known = this.#known();
    const some = drawn.filter((place) => known.has(place));
    if (some.length < drawn.length / 2) return undefined;
    return weightsOf(some.map((place) => known.get(place)! - this.answer.logShares[place]));
  }

  #tellTrials(weights: TrialWeights): void {
    const shown = `Pareto k ${weights.k.toFixed(2)}, effective share ${
      weights.effective.toFixed(2)
    }`;
    const passed = isGood(weights);
    const said = `${weights.draws} programs drawn by the policy: ${shown}` +
      (passed ? "" : "; do not use its answer without execution");
    this.#step("trials", passed, said);
    const detail = { ...weights, good_k: goodK, good_share: goodShare };
    const level = passed ? "info" : "warning";
    this.context.rows("event", [{ level, kind: "policy_trials", message: said, detail }]);
    this.context.log(said, level);
  }

  /** The rest of the budget by a surrogate that begins with the policy's mean. */
  async #search(): Promise<void> {
    const { candidates } = this.space;
    const budget = this.executing.executions - this.executing.executed();
    if (budget < 1) return;
    const objects = candidates.map(({ members: [first] }) => first);
    const placeOf = new Map(
      candidates.flatMap(({ members }, place) => members.map(({ text }) => [text, place] as const)),
    );
    let expected = Infinity;
    const ask = async (some: readonly TerminalObject[]) => {
      const places = some.map(({ text }) => placeOf.get(text)!);
      await this.executing.score(places.map((place) => candidates[place]));
      const known = this.#known();
      return places.map((place) => known.get(place) ?? -Infinity);
    };
    const given = [...this.#known()].map(([place, logReward]) => ({
      object: objects[place],
      logReward,
    }));
    const surrogate = await activeSurrogate({
      ...search,
      environment: this.target.environment,
      objects,
      ask,
      budget,
      given,
      mean: foretoldBy(this.answer, this.space),
      random: this.context.random("escalation"),
      onRound: ({ expectedTv }) => expected = expectedTv,
    });
    this.#believed = Float64Array.from(surrogate.logRewards(objects));
    const passed = expected <= wantedTv;
    const said = `${this.executing.executed()} programs executed as a surrogate chose that began ` +
      `with the policy: it expects a total variation of ${expected.toFixed(3)}`;
    this.#step("surrogate", passed, passed ? said : `${said}; count, or execute more`);
    this.context.log(said, passed ? "info" : "warning");
  }

  #believed: Float64Array | undefined;

  /** Executed programs as they are; the rest by the surrogate, or by the policy at the mean weight of its draws. */
  #shares(): Float64Array {
    if (this.#believed) return normalised(this.#believed);
    const known = this.#known();
    const { logShares, likeness: { isLike } } = this.answer;
    if (known.size === 0) return logShares;
    if (!isLike) return normalised(logShares.map((_, place) => known.get(place) ?? -Infinity));
    const weights = drawnPlaces(this.answer).flatMap((place) => {
      const one = known.get(place);
      return one === undefined ? [] : [one - logShares[place]];
    });
    const offset = logSumExp(Float64Array.from(weights)) - log(Math.max(1, weights.length));
    return normalised(logShares.map((one, place) => known.get(place) ?? one + offset));
  }

  #known(): ReadonlyMap<number, number> {
    return new Map([...this.executing.known()].map(([index, logReward]) => {
      return [this.#places.get(index)!, logReward];
    }));
  }

  #step(step: EscalationStep["step"], passed: boolean, said: string): void {
    this.#steps.push({ step, passed, executed: this.executing.executed(), said });
  }
}

const words = {
  none: "no step that holds",
  trials: "the policy",
  surrogate: "a surrogate",
  count: "counting",
} as const;
