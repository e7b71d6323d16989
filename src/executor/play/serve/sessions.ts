/** Sessions of clients of OpenEnv, an episode each: reset, step, state. */
import { digestOf } from "../../../base/digest.ts";
import { InputError } from "../../../base/diagnostic.ts";
import { constantOf } from "../constant.ts";
import { Episode, type Judged, type PlaySettings } from "../episode.ts";
import { type Experiment, identityOf } from "../experiment.ts";
import type { Theories } from "../theories.ts";
import { leastLog, meanErrors } from "../scores.ts";
import { type ServeAnswer, serveError } from "./messages.ts";

/** A session's episode and where it stands. */
interface Session {
  readonly episode: Episode;
  readonly seed: number;
  readonly name: string;
  steps: number;
  /** Whether questions were shown: from then on nothing is asked. */
  isAsked: boolean;
  done: boolean;
}

/** Actions that a client may send, one key each. */
const actions = ["query", "stop", "answer", "submit"] as const;

/** Letters of a program that is submitted. */
const mostLetters = 100_000;

/** All sessions of a server. */
export class ServeSessions {
  readonly #sessions = new Map<string, Session>();
  readonly #busy = new Set<string>();
  #constant: Promise<readonly number[]> | undefined;
  #next = 0;

  constructor(
    readonly experiment: Experiment,
    readonly theories: Theories,
    readonly settings: PlaySettings,
  ) {}

  /** Answers a request; two of one session at once are refused. */
  async handle(session: string, type: string, data: unknown): Promise<ServeAnswer> {
    if (type === "close") {
      this.#sessions.delete(session);
      return { type: "state", data: {} };
    }
    if (this.#busy.has(session)) {
      return serveError(
        "SESSION_ERROR",
        "a step of this session is under way: wait for its answer",
      );
    }
    this.#busy.add(session);
    try {
      return await this.#handle(session, type, data);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return serveError("EXECUTION_ERROR", error.message);
    } finally {
      this.#busy.delete(session);
    }
  }

  async #handle(session: string, type: string, data: unknown): Promise<ServeAnswer> {
    switch (type) {
      case "reset":
        return await this.#reset(session, data);
      case "step":
        return await this.#step(session, data);
      case "state":
        return this.#state(session);
      case "schema":
        return { type: "state", data: schemas };
      case "metadata":
        return {
          type: "state",
          data: {
            name: this.experiment.name,
            description: this.experiment.story.trim(),
            version: "1",
          },
        };
      default:
        return serveError("UNKNOWN_TYPE", `found "${type}", wanted reset, step or state`);
    }
  }

  async #reset(session: string, data: unknown): Promise<ServeAnswer> {
    const given = record(data) ?? {};
    const unknown = Object.keys(given).find((key) => !["seed", "episode_id"].includes(key));
    if (unknown !== undefined) return serveError("VALIDATION_ERROR", `reset takes no "${unknown}"`);
    const { seed = this.#next++, episode_id: id } = given;
    if (!Number.isSafeInteger(seed)) {
      return serveError("VALIDATION_ERROR", "seed is no whole number");
    }
    const { experiment, theories, settings } = this;
    this.#constant ??= constantOf(experiment, theories);
    const key = ["serve", digestOf(identityOf(experiment)), seed as number];
    const episode = await Episode.begin(experiment, theories, settings, key, await this.#constant);
    const name = typeof id === "string" ? id : `${experiment.name}-${seed}`;
    this.#sessions.set(session, {
      episode,
      seed: seed as number,
      name,
      steps: 0,
      isAsked: false,
      done: false,
    });
    return observed({ ...episode.view(), left: episode.left }, 0, false);
  }

  async #step(session: string, data: unknown): Promise<ServeAnswer> {
    const known = this.#sessions.get(session);
    if (!known) return serveError("SESSION_ERROR", "there is no episode: send reset first");
    if (known.done) return serveError("SESSION_ERROR", "the episode is over: send reset");
    const action = record(data);
    const keys = Object.keys(action ?? {});
    const [kind] = keys;
    if (!action || keys.length !== 1 || !(actions as readonly string[]).includes(kind)) {
      return serveError(
        "VALIDATION_ERROR",
        `wanted an action with one of the keys ${actions.join(", ")}`,
      );
    }
    known.steps++;
    if (kind === "query") return await this.#query(known, action.query);
    if (kind === "stop") return this.#questions(known, {});
    if (kind === "answer") return await this.#answer(known, action.answer);
    return await this.#submit(known, action.submit);
  }

  async #query(known: Session, query: unknown): Promise<ServeAnswer> {
    if (known.isAsked) {
      return serveError("SESSION_ERROR", "the questions were shown: send answer or submit");
    }
    const found = await known.episode.ask(query);
    if (found.left === 0) return this.#questions(known, { ...found });
    return observed({ ...found }, 0, false);
  }

  /** Shows the questions, after which nothing is asked. */
  #questions(known: Session, more: Record<string, unknown>): ServeAnswer {
    known.isAsked = true;
    const questions = known.episode.questionViews;
    return observed({ ...more, questions, left: 0 }, 0, false);
  }

  async #answer(known: Session, numbers: unknown): Promise<ServeAnswer> {
    if (!known.isAsked) {
      return serveError("SESSION_ERROR", "there are no questions yet: ask, or send stop");
    }
    const { episode } = known;
    const count = episode.truths.length;
    if (!Array.isArray(numbers) || numbers.length !== count) {
      return serveError("VALIDATION_ERROR", `wanted a list of ${count} numbers`);
    }
    const judged = await episode.answer({ kind: "values", numbers }, this.settings.budget, true);
    if (judged.status === "refused") {
      episode.questions.length = 0;
      return serveError("VALIDATION_ERROR", judged.reason!);
    }
    return this.#ended(known, judged);
  }

  async #submit(known: Session, program: unknown): Promise<ServeAnswer> {
    if (typeof program !== "string" || program.trim() === "" || program.length > mostLetters) {
      return serveError(
        "VALIDATION_ERROR",
        `wanted the text of a program, of at most ${mostLetters} letters`,
      );
    }
    const judged = await known.episode.answer(
      { kind: "program", program },
      this.settings.budget,
      true,
    );
    return this.#ended(known, judged);
  }

  /** The reward: expected log score of a program, skill of answers; of a program that was refused the least log score that there is. */
  #ended(
    known: Session,
    { status, reason, log_score, mcse, oracle_log_score }: Judged,
  ): ServeAnswer {
    known.done = true;
    const { error, oracle, constant, skill } = meanErrors(known.episode.questions);
    const scores = {
      status,
      reason,
      error,
      oracle_error: oracle,
      constant_error: constant,
      skill,
      log_score,
      mcse,
      oracle_log_score,
    };
    const reward = status === "ok" ? log_score ?? skill ?? 0 : leastLog;
    return observed(finite(scores), reward, true);
  }

  #state(session: string): ServeAnswer {
    const known = this.#sessions.get(session);
    if (!known) return serveError("SESSION_ERROR", "there is no episode: send reset first");
    const { name, steps, done, episode } = known;
    return {
      type: "state",
      data: { episode_id: name, step_count: steps, left: episode.left, done },
    };
  }
}

function observed(
  observation: Record<string, unknown>,
  reward: number,
  done: boolean,
): ServeAnswer {
  return { type: "observation", data: { observation, reward, done } };
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Record<string, unknown>
    : undefined;
}

/** Numbers that JSON has. */
function finite(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).filter(([, one]) => one !== undefined && !Number.isNaN(one)),
  );
}

/** JSON Schemas of actions, observations and state. */
const schemas = {
  action: {
    type: "object",
    minProperties: 1,
    maxProperties: 1,
    additionalProperties: false,
    properties: {
      query: { type: "object", description: "a value for each input" },
      stop: { const: true, description: "asks no more, and shows the questions" },
      answer: {
        type: "array",
        items: { type: ["number", "string"] },
        description: "a number for each question",
      },
      submit: { type: "string", description: "a program of PyMC" },
    },
  },
  observation: { type: "object" },
  state: {
    type: "object",
    properties: {
      episode_id: { type: "string" },
      step_count: { type: "integer" },
      left: { type: "integer" },
      done: { type: "boolean" },
    },
  },
};
