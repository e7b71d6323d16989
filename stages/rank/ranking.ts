/** Scores the models of a space within a budget, and writes a row for each as it comes. */
import type { Execution } from "../../src/engine/score/execution/mod.ts";
import type { Judgement } from "../../src/engine/score/judges/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import type { TerminalObject } from "../../src/gfn/environments/mod.ts";
import { describeConfirmation } from "../evaluation/confirmation.ts";
import { describeFailures } from "../evaluation/failures.ts";
import { describeEffects, type ScoredProgram } from "../evaluation/effects.ts";
import { describePriorMoves } from "../evaluation/prior_moves.ts";
import { describeUnits } from "../evaluation/both_units.ts";
import {
  type Candidate,
  candidateRow,
  type CandidateSpace,
  ownLogReward,
} from "../evaluation/candidates.ts";
import { executeAll } from "../evaluation/enumerated.ts";
import { judgeObjects } from "../common/judge_objects.ts";
import type { PolicyAnswer } from "../common/policy_answer.ts";
import type { ProgramTarget } from "../ports/values.ts";
import type { Escalation } from "./escalation.ts";

/**
 * Programs that are asked for at once: few at first, for to stop, a budget of time and an answer wait for
 * them, and each time twice as many, up to what keeps every worker busy.
 */
const chunk = { first: 4, most: 64 };

/** Seconds of programs that are asked for at once under a budget of time. */
const moment = 2;

/** Executions and seconds that may be spent. */
export interface Budget {
  readonly executions?: number;
  readonly seconds?: number;
}

/** A model and the member of it that was executed last. */
interface Tried {
  readonly candidate: Candidate;
  readonly object: TerminalObject;
  readonly execution: Execution;
}

/** One pass over a space. */
export class Ranking {
  #executed = 0;
  readonly #tried = new Set<number>();
  readonly #scored: ScoredProgram[] = [];
  readonly #failed: Execution[] = [];
  readonly #started = performance.now();

  constructor(
    readonly context: StageContext,
    readonly target: ProgramTarget,
    readonly space: CandidateSpace,
    /** Policy whose probabilities order the executions, if data are like its training; else the prior's do. */
    readonly by?: PolicyAnswer,
  ) {}

  /** Scores by falling prior, or share of a policy, until all is done or the budget is spent. */
  async run({ executions = Infinity, seconds = Infinity }: Budget): Promise<void> {
    this.context.progress({ models: `0/${this.space.candidates.length}` });
    const escalation = this.by && await this.#escalate(this.by, executions);
    const queue = this.#queue();
    let next = chunk.first;
    while (queue.length > 0 && this.#executed < executions && this.#seconds < seconds) {
      const size = Math.min(next, executions - this.#executed, this.#affordable(seconds));
      next = Math.min(2 * next, chunk.most);
      await this.#score(queue.splice(0, size));
      this.#report(queue.length);
    }
    escalation?.end(queue.length);
    describeFailures(this.context, this.#failed, this.space.candidates.length);
    const done = { models: "scored", ETA: "" };
    this.context.progress({ ...done, then: "effects of the likeliest" });
    await describeEffects(this.context, this.target, this.space.meaning, this.#scored);
    this.context.progress({ ...done, then: "likeliest with wider priors" });
    await describePriorMoves(this.context, this.target, this.space, this.#scored);
    this.context.progress({ ...done, then: "likeliest with whole groups left out" });
    await describeUnits(this.context, this.target, this.space.meaning, this.#scored);
    this.context.progress({ ...done, then: "likeliest on rows that confirm" });
    await describeConfirmation(this.context, this.target, this.#scored);
    const left = queue.length;
    if (left > 0) this.context.log(`budget spent: ${left} models were not executed`, "warning");
  }

  /** The first steps of a policy's answer. */
  async #escalate(answer: PolicyAnswer, executions: number): Promise<Escalation> {
    const { Escalation } = await import("./escalation.ts");
    const room = () => executions - this.#executed;
    const escalation = new Escalation(this.context, this.target, this.space, answer, {
      executions,
      executed: () => this.#executed,
      known: () => new Map(this.#scored.map(({ index, logReward }) => [index, logReward])),
      score: async (candidates) => {
        const fresh = candidates.filter(({ index }) => !this.#tried.has(index)).slice(0, room());
        for (let from = 0; from < fresh.length; from += chunk.most) {
          await this.#score(fresh.slice(from, from + chunk.most));
        }
      },
    });
    await escalation.run();
    return escalation;
  }

  #queue(): Candidate[] {
    const { candidates } = this.space;
    const by = this.by?.likeness.isLike ? this.by : undefined;
    const shares = by?.logShares ?? candidates.map(({ logPrior }) => logPrior);
    const order = [...candidates.keys()].sort((a, b) => shares[b] - shares[a] || a - b);
    return order.map((place) => candidates[place]).filter(({ index }) => !this.#tried.has(index));
  }

  /** Where time is short, what took a moment so far: the next ones may be slower. */
  #affordable(seconds: number): number {
    if (seconds === Infinity) return Infinity;
    return Math.max(chunk.first, Math.floor(moment * this.#executed / this.#seconds));
  }

  get #seconds(): number {
    return (performance.now() - this.#started) / 1000;
  }

  /** Executes the first member of each model; of those without a score the next, while there is one. */
  async #score(candidates: readonly Candidate[]): Promise<void> {
    for (const { index } of candidates) this.#tried.add(index);
    let tried: Tried[] = [];
    let open = candidates.map((candidate) => ({ candidate, member: 0 }));
    while (open.length > 0) {
      const objects = open.map(({ candidate, member }) => candidate.members[member]);
      const found = await executeAll(this.context, this.target, objects);
      this.#executed += objects.length;
      const now = open.map(({ candidate, member }, i) => ({
        candidate,
        member,
        object: objects[i],
        execution: found[i],
      }));
      const isLast = ({ candidate, member, execution }: (typeof now)[number]) =>
        execution.score !== undefined || member + 1 >= candidate.members.length;
      tried = [...tried, ...now.filter(isLast)];
      open = now.filter((one) => !isLast(one)).map(({ candidate, member }) => ({
        candidate,
        member: member + 1,
      }));
    }
    tried.sort((a, b) => a.candidate.index - b.candidate.index);
    const judged = await this.#judge(tried);
    const rows = tried.map((one, i) =>
      candidateRow(one.candidate, { ...one, judgements: judged[i] }, this.target)
    );
    this.context.rows("candidate", rows);
    tried.forEach((one, i) => {
      if (!one.execution.score) {
        this.#failed.push(one.execution);
        return;
      }
      const logReward = ownLogReward(judged[i]);
      if (logReward === -Infinity) return;
      this.#scored.push({ index: one.candidate.index, object: one.object, logReward });
    });
  }

  /** Judges every member of each model, with the execution of the one that stands for it. */
  async #judge(tried: readonly Tried[]): Promise<Judgement[][]> {
    const objects = tried.flatMap(({ candidate }) => candidate.members);
    const executions = tried.flatMap(({ candidate, execution }) =>
      candidate.members.map(() => execution)
    );
    const rest = await judgeObjects(this.context, this.target, objects, executions);
    return tried.map(({ candidate }) => rest.splice(0, candidate.members.length));
  }

  #report(left: number): void {
    const done = this.space.candidates.length - left;
    const eta = Math.ceil(this.#seconds / done * left);
    this.context.progress({ models: `${done}/${this.space.candidates.length}`, ETA: `${eta} s` });
  }
}
