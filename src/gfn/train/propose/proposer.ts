/** Proposes trajectories beside those of the policy: all behaviours, and their state. */
import type { RandomStream } from "../../../base/random.ts";
import { BroadWalks } from "../../certificates/broad_walks.ts";
import { broadWalk } from "../../certificates/moves.ts";
import type { Environment, TerminalObject } from "../../environments/environment.ts";
import type { Policy } from "../../policies/policy.ts";
import type { Trajectory } from "../../trajectories/trajectory.ts";
import { BestKnown, type Known } from "./best_known.ts";
import { cutAndRegrow } from "./local_search.ts";
import { endOfWay, offPolicyTrajectories } from "../../policies/given_ways.ts";
import { ownWays, type ProposerDefinition } from "./define_proposer.ts";
import { rankDrawn } from "./off_policy.ts";
import { Particles } from "./particles.ts";
import { Teacher, type TeacherOptions } from "./teacher.ts";
import { Ensemble, type SavedHead, type ThompsonOptions } from "./thompson.ts";

/** Which behaviours propose, and how many trajectories each adds to a batch. */
export interface ProposeOptions {
  readonly localSearch?: LocalSearch;
  readonly particles?: { readonly count: number; readonly until: number };
  readonly teacher?: TeacherOptions & { readonly count: number };
  /** An ensemble, one member of which is drawn per batch. */
  readonly thompson?: ThompsonOptions & { readonly count: number };
  /** Trajectories that are half by the prior, half by walkers with preferences. */
  readonly broad?: { readonly count: number };
  /** Trajectories that people or other tools wrote, so many of them per step, in turn. */
  readonly programs?: { readonly count: number; readonly ways: readonly (readonly number[])[] };
  /** A proposer of one's own. */
  readonly own?: OwnProposer;
  /** Objects that local search and a proposer of one's own remember. */
  readonly memory: number;
}

/** A proposer of one's own, and its settings in the pipeline. */
export interface OwnProposer {
  /** Default export of its module. */
  readonly definition: ProposerDefinition;
  /** Trajectories per step. */
  readonly count: number;
  /** Its parameters in the pipeline. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A search from so many starts; the rest as {@linkcode cutAndRegrow} has it. */
export interface LocalSearch {
  /** Starts per step. */
  readonly count: number;
  /** Rounds of cutting and growing. */
  readonly rounds: number;
  /** Largest share of a trajectory's actions that is cut, in (0, 1]. */
  readonly cut: number;
  /** Whether the actions behind the cut follow again, where they are legal. */
  readonly rejoin?: boolean;
  /**
   * `best`, if left out: starts are drawn by rank of reward among the best objects found so far.
   * `fresh`: starts are the trajectories of this step, so that every search begins elsewhere.
   */
  readonly from?: "best" | "fresh";
}

/** One step. */
export interface ProposeStep {
  /** Share of training that is done, 0 to 1. */
  readonly fraction: number;
  /** Source of all randomness of the step. */
  readonly random: RandomStream;
  /** Log rewards of objects. */
  readonly rewards: (objects: readonly TerminalObject[]) => Promise<ArrayLike<number>>;
}

/** Proposed trajectories by behaviour. */
export type Proposed = Readonly<Record<string, readonly Trajectory[]>>;

/** Keeps the best objects, the particles, the teacher and the ensemble between steps. */
export class Proposer {
  readonly #options: ProposeOptions;
  readonly #best: BestKnown;
  readonly #particles = new Particles();
  #base: BroadWalks | undefined;
  #teacher: Teacher | undefined;
  #ensemble: Ensemble | undefined;
  #next = 0;

  /** Begins with nothing remembered. */
  constructor(options: ProposeOptions) {
    this.#options = options;
    this.#best = new BestKnown(options.memory);
  }

  /** Trajectories of every behaviour, with the log probabilities of `policy`. */
  async step(
    policy: Policy,
    environment: Environment,
    fresh: readonly Trajectory[],
    { fraction, random, rewards }: ProposeStep,
  ): Promise<Proposed> {
    const { localSearch, particles, teacher, thompson, broad, programs, own } = this.#options;
    const base = this.#base ??= new BroadWalks(environment, random);
    const ofWays = (ways: readonly (readonly number[])[]) =>
      offPolicyTrajectories(policy, environment, ways);
    const ends = (some: readonly Trajectory[]) =>
      some.map(({ actions }) => environment.terminal(endOfWay(environment, actions)));
    const rewarded = async (some: readonly Trajectory[]) => {
      const values = await rewards(ends(some));
      this.#best.add(some.map(({ text, actions }, i) => ({ text, actions, logReward: values[i] })));
      return values;
    };
    const proposed: Record<string, readonly Trajectory[]> = {};
    if (programs && programs.ways.length > 0) {
      const ways = Array.from({ length: programs.count }, () => {
        return programs.ways[this.#next++ % programs.ways.length];
      });
      proposed.programs = await ofWays(ways);
    }
    if (broad) {
      const walks = Array.from({ length: broad.count }, () => broadWalk(base, random).actions);
      proposed.broad = await ofWays(walks);
    }
    if (own) {
      const told = { environment, known: this.#best.all, logProbabilities: ofWays, random };
      const step = { ...told, fraction, ...own };
      proposed.own = await ofWays(await ownWays(own.definition, step));
    }
    if (particles) {
      const exponent = Math.min(1, (fraction + 0.02) / particles.until);
      const ways = await this.#particles.step(base, {
        count: particles.count,
        exponent,
        random,
        rewards,
      });
      proposed.particles = await ofWays(ways);
    }
    if (teacher) {
      this.#teacher ??= await Teacher.of(policy, teacher, random);
      const walks = await this.#teacher?.walks(environment, teacher.count, random) ?? [];
      proposed.teacher = await ofWays(walks.map(({ actions }) => actions));
    }
    if (thompson) {
      this.#ensemble ??= await Ensemble.of(policy, thompson, random);
      const walks = await this.#ensemble.walks(environment, thompson.count, random);
      proposed.thompson = await ofWays(walks.map(({ actions }) => actions));
    }
    const before = [...fresh, ...Object.values(proposed).flat()];
    const values = await rewarded(before);
    if (localSearch && this.#best.all.length > 0) {
      const starts = this.#starts(localSearch, before, values, random);
      const search = { ...localSearch, random, rewards: rewarded };
      proposed.local_search = await cutAndRegrow(policy, environment, starts, search);
    }
    await this.#teacher?.step(environment, before, values, { own: fresh.length, fraction });
    await this.#ensemble?.step(environment, before, values, { fraction, random });
    return proposed;
  }

  #starts(
    { count, from = "best" }: LocalSearch,
    before: readonly Trajectory[],
    values: ArrayLike<number>,
    random: RandomStream,
  ): readonly Known[] {
    if (from === "fresh") {
      return before.slice(0, count).map(({ text, actions }, i) => {
        return { text, actions, logReward: values[i] };
      });
    }
    const { all } = this.#best;
    return Array.from({ length: count }, () => all[rankDrawn(all.length, random)]);
  }

  /** State for a checkpoint. */
  async save(): Promise<unknown> {
    const teacher = this.#teacher && {
      policy: (await this.#teacher.policy.save()).toBase64(),
      optimizer: (await this.#teacher.policy.saveOptimizer()).toBase64(),
      logZ: this.#teacher.saveLogZ(),
    };
    return {
      best: this.#best.all,
      particles: this.#particles.save(),
      base: this.#base?.save(),
      next: this.#next,
      ...(teacher && { teacher }),
      ...(this.#ensemble && { thompson: await this.#ensemble.save() }),
    };
  }

  /** Restores the state of `save`, before the first step. */
  async load(
    environment: Environment,
    saved: unknown,
    load: (bytes: Uint8Array) => Promise<Policy>,
  ): Promise<void> {
    const { best, particles, base, next, teacher, thompson } = saved as {
      readonly best: readonly Known[];
      readonly particles: unknown;
      readonly base?: readonly (readonly number[])[];
      readonly next: number;
      readonly thompson?: readonly SavedHead[];
      readonly teacher?: {
        readonly policy: string;
        readonly optimizer: string;
        readonly logZ: unknown;
      };
    };
    this.#best.add(best);
    this.#next = next;
    if (base) this.#base = BroadWalks.restore(environment, base);
    if (this.#base) this.#particles.load(this.#base, particles);
    if (thompson && this.#options.thompson) {
      this.#ensemble = await Ensemble.restore(thompson, this.#options.thompson, load);
    }
    if (!teacher || !this.#options.teacher) return;
    const policy = await load(Uint8Array.fromBase64(teacher.policy));
    await policy.loadOptimizer(Uint8Array.fromBase64(teacher.optimizer));
    this.#teacher = Teacher.restore(policy, this.#options.teacher, teacher.logZ);
  }
}
