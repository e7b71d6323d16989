/** Theories where no program is the world: a module answers for it, workers for programs that may explain it. */
import { inputError } from "../../base/diagnostic.ts";
import type { AskBelief, BeliefJson, LatentsJson, TheoryAsk } from "../theories/messages.ts";
import { joinedLatents } from "../theories/joined_latents.ts";
import type { WorldAsk } from "./answer_of_world.ts";
import type { Experiment } from "./experiment.ts";
import type { Submission, SubmittedProgram, Theories } from "./theories.ts";

/** The process of a module's world. */
export interface WorldProcess {
  /** @throws InputError if the module cannot be loaded, or gives no number. */
  ask(ask: WorldAsk): Promise<unknown>;
  /** Ends it. */
  close(): Promise<void>;
}

/** Opens the process of the module at an absolute path; nothing is started before it is asked. */
export type OpenWorld = (path: string) => WorldProcess;

/** One experiment's theories: its world by a module, all others by workers. */
export class OwnTheories implements Theories {
  constructor(
    readonly experiment: Experiment,
    readonly world: WorldProcess,
    readonly workers: Theories,
  ) {}

  async ask(text: string, ask: TheoryAsk): Promise<unknown> {
    if (ask.op === "belief") return await this.#believe(ask);
    if (text !== this.experiment.program) return await this.workers.ask(text, ask);
    if (ask.op === "calibrate") throw this.#noTheory("has no density to compare with");
    const { design: _, ...own } = ask;
    return await this.world.ask(own);
  }

  judge(submitted: SubmittedProgram): Promise<Submission> {
    return this.workers.judge(submitted);
  }

  async #believe(ask: AskBelief): Promise<unknown> {
    const { theories, seen, candidates, judge } = ask;
    const isOwn = theories.some(({ text }) => text === this.experiment.program);
    if (!isOwn) return await this.workers.ask(theories[0].text, ask);
    if (seen.rows > 0 || candidates || judge) throw this.#noTheory("has no posterior");
    return await this.#before(ask);
  }

  /** Predictions and latents before anything was seen, by as many worlds as there would be particles. */
  async #before({ predict, latents, particles, key }: AskBelief): Promise<BeliefJson> {
    const keys = Array.from({ length: particles }, (_, k) => [...key, k]);
    const all = joinedLatents(await this.world.ask({ op: "latents", keys }) as LatentsJson[]);
    const own = latents?.map((name) => all.parameters[all.names.indexOf(name)]);
    const certain = [{ log_evidence: 0, error: 0, share: 1 }];
    const empty = { theories: certain, latents: {}, ...(own && { latent_draws: own }) };
    if (!predict) return empty;
    const asked = { op: "responses", latents: all, at: predict, key, copies: 1 } as const;
    const drawn = await this.world.ask(asked) as (number | null)[];
    const rows = Array.from(
      { length: predict.rows },
      (_, row) => summary(drawn, row, predict.rows),
    );
    return { ...empty, predicted: rows };
  }

  #noTheory(what: string): Error {
    const message =
      `Cannot play experiment "${this.experiment.name}": its world is a module, which ${what}`;
    const hint = "wire programs that may explain it, or take an agent that needs no theory";
    return inputError("experiment/no-theory", message, undefined, hint);
  }
}

/** Mean and median of a row's responses; worlds that overflow there are left out. */
function summary(drawn: readonly (number | null)[], row: number, rows: number) {
  const own = drawn.filter((value, k): value is number => k % rows === row && value !== null);
  own.sort((a, b) => a - b);
  const mean = own.reduce((a, b) => a + b, 0) / own.length;
  return { mean, median: own[Math.floor(own.length / 2)] };
}
