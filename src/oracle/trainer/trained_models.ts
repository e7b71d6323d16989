/** Models on a server that trains: made when they are asked, put back where they were when it loses them. */
import { inputError } from "../../base/diagnostic.ts";
import { RandomStream } from "../../base/random.ts";
import type {
  AdamStep,
  TrainedText,
  TrainerCheckpoint,
  TrainerPlace,
  TrainerRecord,
  TrainerRequest,
} from "../../models/training/mod.ts";
import { inTurns } from "../server/in_turns.ts";
import { adapterOf } from "./adapter_archive.ts";
import { type Division, type LossManner, lossManner, scaleOf } from "./loss_scale.ts";
import { LostModel, type TinkerServer } from "./tinker_server.ts";
import { inputOf, outputLogProbs, scoredDatum, trainedDatum, writtenOf } from "./tinker_wire.ts";

/** Most steps that are repeated where a model is lost. */
const longestJournal = 25;

/** Log probabilities of the same weights may differ by so much, nats, as bfloat16 does. */
const sameWeights = 0.5;

interface Step {
  readonly texts: readonly TrainedText[];
  readonly adam: AdamStep;
  /** Division of the loss by the server, which the step multiplies back. */
  readonly division: Division;
}

/** One model: its start, the steps since, and the server's present name of it. */
interface Trained {
  readonly place: TrainerPlace;
  /** Path of the weights from which training resumed; undefined where it began fresh. */
  from: string | undefined;
  /** Steps since. */
  journal: Step[];
  /** Its name there, while it lies in the server's memory. */
  model: string | undefined;
  /** Path of the weights that are sampled from, until the next step. */
  sampler: string | undefined;
  /** Counts names of saved states. */
  saved: number;
}

/** Answers requests for models, each by the server's present model for it. */
export class TrainedModels {
  readonly #known = new Map<string, Trained>();
  #manner: Promise<LossManner> | undefined;

  constructor(readonly server: TinkerServer) {}

  /** @throws InputError, MissingPartError as the server answers. */
  async answer(request: TrainerRequest): Promise<unknown> {
    switch (request.op) {
      case "open":
        return await this.#open(request, request.begin);
      case "forward":
        return await this.#with(request, (one) => this.#forward(one, request.texts));
      case "train":
        return await this.#train(request, { texts: request.texts, adam: request.adam });
      case "sample":
        return await this.#with(request, (one) => this.#sample(one, request));
      case "save":
        return await this.#with(request, (one) => this.#save(one));
      case "release":
        return await this.#release(request.handle);
    }
  }

  /** Releases all models. */
  async close(): Promise<void> {
    for (const handle of [...this.#known.keys()]) await this.#release(handle);
    this.server.close();
  }

  async #open(place: TrainerPlace, begin: number): Promise<TrainerRecord> {
    const { division: divides, clips } = await this.#mannerBy(place, begin);
    const text = trialOf(begin);
    const [[a], [b]] = await this.#with(place, async (one) => [
      await this.#forward(one, [text]),
      await this.#forward(one, [text]),
    ]);
    return { divides, clips, twice: Math.max(...a.map((value, i) => Math.abs(value - b[i]))) };
  }

  /** Measured once, and again where that failed. */
  #mannerBy(place: TrainerPlace, begin: number): Promise<LossManner> {
    return this.#manner ??= this.#measure(place, begin).catch((error) => {
      this.#manner = undefined;
      throw error;
    });
  }

  /** Trains a model of its own for a test, and releases it. */
  async #measure(place: TrainerPlace, begin: number): Promise<LossManner> {
    const handle = `division ${crypto.randomUUID()}`;
    const spoilt = { ...place, handle, from: undefined };
    const made = {
      forward: async (ids: readonly number[]) =>
        (await this.#with(spoilt, (one) => this.#forward(one, [ids])))[0],
      train: async (texts: readonly TrainedText[], adam: AdamStep) => {
        await this.#with(spoilt, (one) => this.#step(one, { texts, adam, division: "1" }));
      },
    };
    try {
      return await lossManner(made, trialOf(begin));
    } finally {
      await this.#release(handle);
    }
  }

  /** A step, which is remembered until the next save: it is made once, however often it is asked for. */
  async #train(place: TrainerPlace, asked: Omit<Step, "division">): Promise<null> {
    const first = asked.texts[0]?.ids[0] ?? 0;
    const { division, clips } = await this.#mannerBy(place, first);
    const { grad_clip_norm, ...adam } = asked.adam;
    const clip = clips && grad_clip_norm !== undefined && { grad_clip_norm };
    const step = { texts: asked.texts, adam: { ...adam, ...clip }, division };
    await this.#with(place, (one) => this.#step(one, step));
    const one = this.#of(place);
    if (one.journal.length >= longestJournal) await this.#with(place, () => this.#keep(one));
    return null;
  }

  async #step(one: Trained, step: Step): Promise<void> {
    await this.#move(one, step);
    one.journal.push(step);
  }

  async #move(one: Trained, { texts, adam, division }: Step): Promise<void> {
    const { model } = one;
    one.sampler = undefined;
    const data = texts.map((text) => trainedDatum(text, scaleOf(division, text, texts)));
    const forward_backward_input = { data, loss_fn: "importance_sampling" };
    const body = { model_id: model, forward_backward_input };
    const made = await this.server.ask("forward_backward", body, { changes: true });
    const ids = texts.map((text) => text.ids);
    this.#requireSame(outputLogProbs(made, ids, this.server.address.url), texts);
    const optim = { model_id: model, adam_params: adam };
    await this.server.ask("optim_step", optim, { changes: true });
  }

  /** @throws InputError if the weights are not those that scored: ratios of probabilities are then not 1. */
  #requireSame(found: readonly (readonly number[])[], texts: readonly TrainedText[]): void {
    const apart = texts.flatMap(({ logProbs }, i) =>
      logProbs.map((value, t) => Math.abs(value - found[i][t]))
    );
    const mean = apart.reduce((sum, one) => sum + one, 0) / Math.max(1, apart.length);
    if (mean <= sameWeights) return;
    const message = `Cannot train on ${this.server.address.url}: its log probabilities are ` +
      `${mean.toFixed(2)} nats a token from those that it gave before the step`;
    const hint = "another client may train the same model; a gradient at other weights is not ours";
    throw inputError("trainer/other-weights", message, undefined, hint);
  }

  async #forward({ model }: Trained, texts: readonly (readonly number[])[]) {
    const forward_input = { data: texts.map(scoredDatum), loss_fn: "cross_entropy" };
    const found = await this.server.ask("forward", { model_id: model, forward_input });
    return outputLogProbs(found, texts, this.server.address.url);
  }

  async #sample(one: Trained, request: TrainerRequest & { op: "sample" }) {
    const { prompts, most, end, seeds, temperature, top_p, trainer } = request;
    one.sampler ??= await this.#saveAs(one, "save_weights_for_sampler");
    return await inTurns(trainer.max_concurrency, prompts, async (ids, i) => {
      // One seed for all would be one quantile of them all.
      const seed = new RandomStream("sample", seeds[i]).uint32() >>> 1;
      const sampling_params = {
        max_tokens: most[i],
        seed,
        temperature,
        top_p,
        top_k: -1,
        stop: [end],
      };
      const found = await this.server.ask("asample", {
        prompt: inputOf(ids),
        num_samples: 1,
        sampling_params,
        model_path: one.sampler,
        prompt_logprobs: false,
        type: "sample",
      });
      return writtenOf(found, this.server.address.url);
    });
  }

  async #save(one: Trained): Promise<TrainerCheckpoint> {
    await this.#keep(one);
    one.sampler ??= await this.#saveAs(one, "save_weights_for_sampler");
    const [, model, name] = /^tinker:\/\/([^/]+)\/(?:.*\/)?([^/]+)$/.exec(one.sampler) ?? [];
    const path = `training_runs/${model}/checkpoints/${name}/archive`;
    const archive = model === undefined ? undefined : await this.server.bytes(path);
    const weights = one.from!;
    if (!archive) return { weights, sha256: null, files: {} };
    return { weights, ...await adapterOf(archive, one.place.trainer.rank) };
  }

  /** Keeps weights and moments there, and forgets the steps that led to them. */
  async #keep(one: Trained): Promise<void> {
    if (one.from !== undefined && one.journal.length === 0) return;
    one.from = await this.#saveAs(one, "save_weights");
    one.journal = [];
  }

  /** Each name is used once: SkyRL-tx answers 500 to a second. */
  async #saveAs(one: Trained, how: "save_weights" | "save_weights_for_sampler"): Promise<string> {
    const path = `s${one.saved++}-${crypto.randomUUID().slice(0, 8)}`;
    const { path: found } = await this.server.ask(how, { model_id: one.model, path, type: how });
    if (typeof found === "string") return found;
    const message = `Cannot train on ${this.server.address.url}: ${how} names no path`;
    throw inputError("trainer/protocol", message, undefined, "see the server's own log");
  }

  #of(place: TrainerPlace): Trained {
    const known = this.#known.get(place.handle);
    // The model that was asked last stands last.
    this.#known.delete(place.handle);
    const fresh = { place, from: place.from, journal: [], saved: 0 };
    const one = known ?? { ...fresh, model: undefined, sampler: undefined };
    this.#known.set(place.handle, one);
    return one;
  }

  /**
   * Runs a request on a model. Where the server has lost it, or the answer to a step was lost, the
   * model is restored from the latest save and the steps since: no step is made twice, and none is
   * left out.
   */
  async #with<T>(place: TrainerPlace, act: (one: Trained) => Promise<T>): Promise<T> {
    const one = this.#of(place);
    const { retries, pause } = place.trainer;
    for (let attempt = 0;; attempt++) {
      try {
        await this.#present(one);
        return await act(one);
      } catch (error) {
        if (!(error instanceof LostModel)) throw error;
        if (attempt >= retries) throw this.#lost(error);
        await this.#unload(one);
        await new Promise((done) => setTimeout(done, 1000 * pause * 2 ** attempt));
      }
    }
  }

  #lost({ message }: LostModel) {
    const what = `Cannot train on ${this.server.address.url}: ${message}`;
    const hint = "start the server again; the same command goes on from the last checkpoint";
    return inputError("trainer/lost", what, undefined, hint);
  }

  /** Makes the model there, and room for it. */
  async #present(one: Trained): Promise<void> {
    if (one.model !== undefined) return;
    const { trainer: { adapters, base_model, rank }, seed } = one.place;
    const there = [...this.#known.values()].filter(({ model }) => model !== undefined);
    for (const other of there.slice(0, Math.max(0, there.length + 1 - adapters))) {
      await this.#putAway(other);
    }
    const body = { session_id: await this.server.session(), base_model };
    const made = await this.server.ask("create_model", { ...body, lora_config: { rank, seed } });
    if (typeof made.model_id !== "string") throw new LostModel("create_model names no model");
    one.model = made.model_id;
    await this.#restore(one);
  }

  /** Where the server has lost it already, its steps are made again when it is next asked. */
  async #putAway(other: Trained): Promise<void> {
    try {
      await this.#keep(other);
    } catch (error) {
      if (!(error instanceof LostModel)) throw error;
    }
    await this.#unload(other);
  }

  async #restore(one: Trained): Promise<void> {
    const { model, from, journal } = one;
    if (from !== undefined) {
      const body = { model_id: model, path: from, type: "load_weights" };
      await this.server.ask("load_weights", body);
    }
    for (const step of journal) await this.#move(one, step);
  }

  /** Frees its place there, unless it is gone already. */
  async #unload(one: Trained): Promise<void> {
    const { model } = one;
    [one.model, one.sampler] = [undefined, undefined];
    if (model === undefined) return;
    const body = { model_id: model, type: "unload_model" };
    await this.server.ask("unload_model", body, { changes: true }).catch(() => {});
  }

  async #release(handle: string): Promise<null> {
    const one = this.#known.get(handle);
    this.#known.delete(handle);
    if (one) await this.#unload(one);
    return null;
  }
}

/** Any text will do: begin, and a few ids that every vocabulary has. */
function trialOf(begin: number): number[] {
  return [begin, 1, 2, 3, 4].map((id, i) => i > 0 && id === begin ? 5 : id);
}
