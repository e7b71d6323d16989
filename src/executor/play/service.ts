/** Worlds as a service of pipelines: they are drawn, asked and judged outside of the process of any agent. */
import { digestOf, sha256 } from "../../base/digest.ts";
import { engineDigest } from "../engine_file.ts";
import type { BeliefJson } from "../theories/messages.ts";
import type {
  OpenService,
  Service,
  ServiceCaller,
  ServiceCounts,
  ServiceSession,
} from "../../pipeline/contract/mod.ts";
import { inputError } from "../../base/diagnostic.ts";
import { constantOf } from "./constant.ts";
import { Episode, type Judged } from "./episode.ts";
import { type Experiment, identityOf } from "./experiment.ts";
import { type OpenWorld, OwnTheories, type WorldProcess } from "./own_theories.ts";
import type { Theories } from "./theories.ts";
import { meanErrors } from "./scores.ts";
import { TheoryWorkers } from "./theory_workers.ts";
import { type EpisodeLabel, type WorldRequest, worldServiceName } from "./messages.ts";
import { tryExperiment } from "./try_experiment.ts";

/** Raised when the meaning of episodes changes. */
const worldVersion = 2;

/** How the service works. */
interface WorldOptions {
  readonly workers?: number;
  /** Opens the process of a module that is a world. */
  readonly openWorld: OpenWorld;
}

/** The service `world`. */
export function worldService(
  { workers = navigator.hardwareConcurrency, openWorld }: WorldOptions,
): Service {
  return {
    name: worldServiceName,
    title: "the engine",
    digest: () => digestOf(["world", worldVersion, engineDigest()]),
    open: ({ modules }) => new WorldsOfRun(workers, openWorld, modules),
  };
}

/** Workers and worlds for all stages of a run, started when the first asks. */
class WorldsOfRun implements OpenService {
  #workers: TheoryWorkers | undefined;
  readonly #worlds = new Map<string, WorldProcess>();

  /** @param modules Modules that stages name: no other is loaded, whatever a stage's process asks for. */
  constructor(
    readonly count: number,
    readonly openWorld: OpenWorld,
    readonly modules: readonly string[] = [],
  ) {}

  session(caller: ServiceCaller): ServiceSession {
    return new WorldSession((experiment) => this.#theories(experiment), caller);
  }

  #theories(experiment: Experiment): Theories {
    const workers = this.#workers ??= new TheoryWorkers(this.count);
    if (!experiment.module) return workers;
    const { path } = experiment.module;
    if (!this.modules.includes(path)) throw unnamedModule(experiment.name, path);
    const world = this.#worlds.get(path) ?? this.openWorld(path);
    this.#worlds.set(path, world);
    return new OwnTheories(experiment, world, workers);
  }

  async close(): Promise<void> {
    const worlds = [...this.#worlds.values()].map((world) => world.close());
    await Promise.all([this.#workers?.close(), ...worlds]);
  }
}

function unnamedModule(experiment: string, path: string): Error {
  const message = `Cannot play experiment "${experiment}": no stage names its module ${path}`;
  const hint = 'write it as module of a stage of kind = "experiment"';
  return inputError("experiment/module", message, undefined, hint);
}

/** An episode that is being played. */
interface Playing {
  readonly episode: Episode;
  readonly experiment: Experiment;
  judged?: Judged;
  program?: string;
  shares?: BeliefJson["theories"];
  trueShare?: number;
}

class WorldSession implements ServiceSession {
  readonly #playing = new Map<string, Playing>();
  readonly #constants = new Map<string, Promise<readonly number[]>>();
  readonly #counts = { executed: 0, recalled: 0 };

  constructor(
    readonly theories: (experiment: Experiment) => Theories,
    readonly caller: ServiceCaller,
  ) {}

  get counts(): ServiceCounts {
    return this.#counts;
  }

  async answer(asked: unknown): Promise<unknown> {
    const request = asked as WorldRequest;
    switch (request.op) {
      case "try":
        return await this.#try(request);
      case "begin":
        return await this.#begin(request);
      case "ask":
        this.#count();
        return await this.#of(request).episode.ask(request.query);
      case "advise":
        return await this.#of(request).episode.advise(request.theories);
      case "answer":
        return await this.#answer(request);
      case "end":
        return this.#end(request);
    }
  }

  async #try({ experiment, calibration }: Extract<WorldRequest, { op: "try" }>) {
    return await tryExperiment(experiment, this.theories(experiment), calibration);
  }

  #count(): void {
    this.#counts.executed++;
    this.caller.onProgress();
  }

  async #begin({ experiment, settings, plain, ...label }: Extract<WorldRequest, { op: "begin" }>) {
    const { seed, episode: number } = label;
    const digest = digestOf(identityOf(experiment));
    const constant = await this.#constant(experiment, digest);
    const key = ["play", digest, seed, number];
    const episode = await Episode.begin(
      ...[experiment, this.theories(experiment), settings, key, constant] as const,
    );
    this.#playing.set(nameOf(label), { episode, experiment });
    return episode.view(plain);
  }

  #constant(experiment: Experiment, digest: string): Promise<readonly number[]> {
    const known = this.#constants.get(digest) ?? constantOf(experiment, this.theories(experiment));
    this.#constants.set(digest, known);
    return known;
  }

  async #answer({ by, checkpoint, last, ...label }: Extract<WorldRequest, { op: "answer" }>) {
    const playing = this.#of(label);
    const judged = await playing.episode.answer(by, checkpoint, last);
    if (!last) return judged.status === "ok" ? { status: "ok" } : judged;
    playing.judged = judged;
    playing.program = by.kind === "program" ? by.program : undefined;
    playing.trueShare = by.kind === "theories" ? judged.true_share : undefined;
    return { status: judged.status, reason: judged.reason };
  }

  #of(label: EpisodeLabel): Playing {
    const playing = this.#playing.get(nameOf(label));
    if (!playing) throw new Error(`internal: episode ${nameOf(label)} has not begun`);
    return playing;
  }

  #end(
    { seconds, tokens, cost, seed, episode: number, agent }: Extract<WorldRequest, { op: "end" }>,
  ) {
    const label = { seed, episode: number, agent };
    const { episode, experiment, judged, program, trueShare } = this.#of(label);
    const own = { experiment: experiment.name, seed, episode: number, agent };
    const { turns, questions, latents } = episode;
    const asked = turns.filter(({ refused }) => !refused);
    const sum = (values: readonly (number | undefined)[]) =>
      values.reduce<number>((a, b) => a + (b ?? 0), 0);
    const last = Math.max(...questions.map(({ checkpoint }) => checkpoint));
    const final = questions.filter(({ checkpoint }) => checkpoint === last);
    const { error, oracle, constant, skill } = meanErrors(final);
    if (program !== undefined) {
      this.caller.append("program", [{ sha256: sha256(program), text: program }]);
    }
    this.caller.append("turn", turns.map((turn) => ({ ...own, ...turn })));
    this.caller.append("question", questions.map((question) => ({ ...own, ...question })));
    this.caller.append("episode", [{
      ...own,
      status: judged?.status ?? "none",
      reason: judged?.reason,
      latents: Object.fromEntries(latents.names.map((name, k) => [name, latents.parameters[k]])),
      program: program === undefined ? undefined : sha256(program),
      queries: asked.length,
      refusals: turns.length - asked.length,
      ...(asked.some(({ nats }) => nats !== undefined) && {
        nats: sum(asked.map(({ nats }) => nats)),
        best_nats: sum(asked.map(({ best_nats }) => best_nats)),
      }),
      error,
      oracle_error: oracle,
      constant_error: constant,
      skill,
      log_score: judged?.log_score,
      mcse: judged?.mcse,
      oracle_log_score: judged?.oracle_log_score,
      true_share: trueShare,
      overflows: episode.overflows,
      seconds,
      tokens,
      cost,
    }]);
    this.#playing.delete(nameOf(label));
    return {};
  }
}

function nameOf({ seed, episode, agent }: EpisodeLabel): string {
  return `${seed} ${episode} ${agent}`;
}
