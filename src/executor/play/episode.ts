/** An episode: a world that is drawn once, queries that it answers, and answers that are judged. */
import { inputError } from "../../base/diagnostic.ts";
import { RandomStream } from "../../base/random.ts";
import type {
  AskBelief,
  BeliefJson,
  Key,
  LatentsJson,
  RowsJson,
  WeighedTheory,
} from "../theories/messages.ts";
import { askedOf, designOf, rowsJson, rowsOfQuery } from "./design.ts";
import { catalogueOf, type InputRow, isListed, questionRow, randomRow } from "./draw_rows.ts";
import { errorKind, type Experiment, latentGoal } from "./experiment.ts";
import { askedLatents, bestAnswer, inBestOrder, valuesOf } from "./latent_goal.ts";
import type { Theories } from "./theories.ts";
import { readNumber, readQuery } from "./read_query.ts";
import { errorOf, leastLog } from "./scores.ts";
import { inWords, overflows, shownRow, toldResponse } from "./tell.ts";

/** How episodes are played and judged. */
export interface PlaySettings {
  /** Queries that may be asked. */
  readonly budget: number;
  /** Draws of the latents. */
  readonly particles: number;
  /** Draws by which the information of a query is computed. */
  readonly draws: number;
  /** Queries among which the best is looked for at each turn; with none no nats are computed. */
  readonly candidates: number;
  /** Rows drawn after the last answer, by which it is judged. */
  readonly fresh: number;
}

/** View of an agent at the beginning. */
export interface EpisodeView {
  /** Subject of the world. */
  readonly story: string;
  /** Inputs of a query, by name, as the file has them. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Observed quantity. */
  readonly response: Readonly<Record<string, unknown>>;
  /** Queries of the episode. */
  readonly budget: number;
  /** Latents whose values are asked in the end; absent where responses are. */
  readonly goal?: readonly Readonly<Record<string, unknown>>[];
  /** Entries that may be asked, each once; absent where inputs are a free choice. */
  readonly catalogue?: readonly Readonly<Record<string, number | string>>[];
}

/** The answer to a query. */
export type Observed =
  | {
    readonly kind: "observation";
    readonly observation: readonly Readonly<Record<string, number | string>>[];
    readonly words: string;
    /** Queries that are left. */
    readonly left: number;
  }
  | { readonly kind: "refused"; readonly reason: string; readonly left: number };

/** A row of the table `turn`. */
interface TurnRow {
  readonly t: number;
  readonly query: unknown;
  readonly observation: unknown;
  readonly refused: boolean;
  readonly reason?: string;
  readonly nats?: number;
  readonly nats_low?: number;
  readonly nats_high?: number;
  readonly best_nats?: number;
}

/** A row of the table `question`. */
interface QuestionRow {
  readonly checkpoint: number;
  readonly question: number;
  readonly input: unknown;
  readonly truth: number;
  readonly answer?: number;
  readonly oracle: number;
  readonly constant: number;
  readonly error?: number;
  readonly oracle_error: number;
  readonly constant_error: number;
}

/** Source of answers: the true theory, theories that may be true, a program that is fitted, or numbers. */
export type AnswerBy =
  | { readonly kind: "theory" }
  | { readonly kind: "theories"; readonly theories: readonly WeighedTheory[] }
  | { readonly kind: "program"; readonly program: string }
  | { readonly kind: "values"; readonly numbers: readonly unknown[] };

/** Judgement of an answer. */
export interface Judged {
  readonly status: "ok" | "refused";
  readonly reason?: string;
  /** Expected log score at rows drawn afterwards, nats a row, and its Monte Carlo error; none for numbers. */
  readonly log_score?: number;
  readonly mcse?: number;
  /** Log score of the true latents. */
  readonly oracle_log_score?: number;
  /** Probability of the true theory, where theories were in question and it is one of them. */
  readonly true_share?: number;
}

/** Refusals that end a turn. */
const mostRefusals = 3;
/** Times that a world is drawn again where a theory overflows. */
const mostWorlds = 20;
/** Responses of each question by which the oracle's answer is found. */
const oracleCopies = 400;
/** One episode. Everything in it follows from the experiment, the settings, the key and the queries. */
export class Episode {
  readonly turns: TurnRow[] = [];
  readonly questions: QuestionRow[] = [];
  readonly #seen: InputRow[] = [];
  readonly #responses: number[] = [];
  readonly #asked = new Set<string>();
  readonly #withheld = new Set<string>();
  #turn = 0;
  #refusals = 0;
  #advice: { turn: number; best: InputRow } | undefined;

  private constructor(
    readonly experiment: Experiment,
    readonly theories: Theories,
    readonly settings: PlaySettings,
    readonly key: Key,
    /** Latents that were drawn for the episode. */
    readonly latents: LatentsJson,
    readonly catalogue: readonly InputRow[] | undefined,
    readonly questionRows: readonly InputRow[],
    readonly truths: readonly number[],
    readonly oracle: readonly number[],
    /** Answers of the prior alone: one for all questions, or one for each. */
    readonly constants: readonly number[],
    /** Worlds that overflowed before this one. */
    readonly overflows: number,
  ) {
    if (isListed(experiment)) {
      for (const row of questionRows) this.#withheld.add(nameOf(row, experiment));
    }
  }

  /**
   * Draws a world.
   *
   * @param constants answers of the prior alone: one for all questions, or one for each.
   * @throws InputError if the theory cannot be read, or overflows in every world.
   */
  static async begin(
    experiment: Experiment,
    theories: Theories,
    settings: PlaySettings,
    key: Key,
    constants: readonly number[],
  ): Promise<Episode> {
    const design = designOf(experiment);
    const { program } = experiment;
    const catalogue = catalogueOf(experiment, key);
    const drawn = questionsOf(experiment, key, catalogue);
    let overflowed = 0;
    for (let world = 0; world < mostWorlds; world++) {
      const own = [...key, "world", world];
      const [latents] = await theories.ask(program, {
        op: "latents",
        design,
        at: rowsJson(drawn, experiment),
        keys: [own],
      }) as LatentsJson[];
      const goal = latentGoal(experiment);
      if (goal) {
        const truth = valuesOf(goal, latents);
        const prior = inBestOrder(constants, truth, goal, errorKind(experiment));
        return new Episode(
          ...[experiment, theories, settings, key, latents, catalogue] as const,
          ...[[], truth, truth, prior, overflowed] as const,
        );
      }
      const ask = (some: readonly InputRow[], copies: number, what: string) =>
        theories.ask(program, {
          op: "responses",
          design,
          latents,
          at: rowsJson(some, experiment),
          key: [...own, what],
          copies,
        });
      const all = await ask(drawn, 1, "truths") as number[];
      const chosen = chosenQuestions(all, experiment);
      if (!chosen) continue;
      const [rows, truths] = [chosen.map((q) => drawn[q]), chosen.map((q) => all[q])];
      const copies = await ask(rows, oracleCopies, "oracle") as number[];
      if ([...truths, ...copies].some(overflows)) {
        overflowed++;
        continue;
      }
      const oracle = rows.map((_, q) => centreOf(copies, rows.length, q, experiment));
      return new Episode(
        experiment,
        theories,
        settings,
        key,
        latents,
        catalogue,
        rows,
        truths,
        oracle,
        constants,
        overflowed,
      );
    }
    throw overflowed > 0 ? overflow(experiment) : unbalanced(experiment);
  }

  /** View for an agent. */
  view(plain = false): EpisodeView {
    const { experiment, catalogue } = this;
    const { catalogue: _, ...inputs } = experiment.inputs;
    return {
      story: (plain ? experiment.plain_story : experiment.story).trim(),
      inputs,
      response: experiment.response,
      budget: this.settings.budget,
      ...(latentGoal(experiment) && { goal: this.questionViews }),
      ...(catalogue &&
        { catalogue: this.#open(catalogue).map((row) => shownRow(row, experiment)) }),
    };
  }

  /** Questions for agents: inputs of rows, or names of latents. */
  get questionViews(): readonly Readonly<Record<string, unknown>>[] {
    const goal = latentGoal(this.experiment);
    if (goal) return askedLatents(goal, this.latents).map((latent) => ({ latent }));
    return this.questionRows.map((row) => shownRow(row, this.experiment));
  }

  /** Queries that are left. */
  get left(): number {
    return Math.max(0, this.settings.budget - this.#turn);
  }

  /** Answers a query, or explains a refusal. A refusal costs nothing; three in a row end the turn. */
  async ask(query: unknown): Promise<Observed> {
    const { experiment } = this;
    if (this.left === 0) return this.#refuse(query, "the budget is spent");
    const read = readQuery(query, experiment);
    if (read.kind === "refused") return this.#refuse(query, read.reason);
    const { row } = read;
    const name = nameOf(row, experiment);
    if (this.#withheld.has(name)) return this.#refuse(query, "it is asked about in the end");
    if (this.catalogue && !this.catalogue.some((one) => nameOf(one, experiment) === name)) {
      return this.#refuse(query, "it is not in the catalogue");
    }
    if (this.catalogue && this.#asked.has(name)) {
      return this.#refuse(query, "each entry may be asked once");
    }
    const nats = await this.#natsOf(row);
    const rows = rowsOfQuery(row, experiment);
    const responses = await this.theories.ask(experiment.program, {
      op: "responses",
      design: designOf(experiment),
      latents: this.latents,
      at: rowsJson(rows, experiment),
      key: [...this.key, "turn", this.#turn],
      copies: 1,
    }) as (number | null)[];
    const told = responses.map((y) => toldResponse(y ?? NaN, experiment));
    if (told.some(overflows)) {
      return this.#refuse(query, "the theory overflows there");
    }
    this.#asked.add(name);
    this.#seen.push(...rows);
    this.#responses.push(...told);
    const { name: response } = experiment.response;
    const observation = rows.map((one, k) => ({
      ...shownRow(one, experiment),
      [response]: told[k],
    }));
    const words = rows.map((one, k) => inWords(one, told[k], experiment)).join(" ");
    this.turns.push({ t: this.#turn, query, observation, refused: false, ...nats });
    this.#turn++;
    this.#refusals = 0;
    return { kind: "observation", observation, words, left: this.left };
  }

  #refuse(query: unknown, reason: string): Observed {
    const shown = (JSON.stringify(query) ?? "").slice(0, 1000);
    this.turns.push({ t: this.#turn, query: shown, observation: null, refused: true, reason });
    if (++this.#refusals >= mostRefusals && this.left > 0) {
      this.#turn++;
      this.#refusals = 0;
    }
    return { kind: "refused", reason, left: this.left };
  }

  /** The query of most expected information, about latents of the theory or about which theory is true. */
  async advise(theories?: readonly WeighedTheory[]): Promise<Record<string, number | string>> {
    const rows = this.#candidates();
    const nats = await this.#nats(rows, 0, theories);
    if (!theories) this.#advice = { turn: this.#turn, best: rows[bestOf(nats)] };
    return shownRow(rows[bestOf(nats)], this.experiment);
  }

  /** Nats of a query that is asked, and of the best candidate, by draws that chose neither. */
  async #natsOf(row: InputRow) {
    if (this.settings.candidates === 0 || this.experiment.module) return {};
    const candidate = await this.#bestCandidate();
    const isBest = nameOf(row, this.experiment) === nameOf(candidate, this.experiment);
    const [own, best = own] = await this.#nats(isBest ? [row] : [row, candidate], 1);
    return {
      nats: own.nats,
      nats_low: own.low,
      nats_high: own.high,
      best_nats: Math.max(own.nats, best.nats),
    };
  }

  async #bestCandidate(): Promise<InputRow> {
    if (this.#advice?.turn === this.#turn) return this.#advice.best;
    const rows = this.#candidates();
    return rows[bestOf(await this.#nats(rows, 0))];
  }

  /** Queries of this turn among which the best is looked for: the same for every agent. */
  #candidates(): readonly InputRow[] {
    const { experiment, settings: { candidates }, catalogue } = this;
    const random = new RandomStream(...this.key, "candidates", this.#turn);
    if (!catalogue) {
      return Array.from(
        { length: candidates },
        () => askedOf(randomRow(experiment, random), experiment),
      );
    }
    const open = [...this.#open(catalogue)];
    for (let k = open.length - 1; k > 0; k--) {
      const other = random.below(k + 1);
      [open[k], open[other]] = [open[other], open[k]];
    }
    return open.slice(0, candidates);
  }

  #open(catalogue: readonly InputRow[]): readonly InputRow[] {
    return catalogue.filter((row) => {
      const name = nameOf(row, this.experiment);
      return !this.#asked.has(name) && !this.#withheld.has(name);
    });
  }

  async #nats(
    queries: readonly InputRow[],
    half: 0 | 1,
    theories?: readonly WeighedTheory[],
  ): Promise<readonly Nats[]> {
    const { experiment } = this;
    const rows = queries.flatMap((query) => rowsOfQuery(query, experiment));
    const { nats } = await this.#believe(theories, {
      candidates: {
        at: rowsJson(rows, experiment),
        about: theories && theories.length > 1 ? "theories" : "latents",
        draws: half === 0 ? this.settings.draws : this.settings.particles,
        half,
      },
    });
    const each = rows.length / queries.length;
    return queries.map((_, k) => summed(nats!.slice(k * each, (k + 1) * each)));
  }

  async #believe(
    theories: readonly WeighedTheory[] | undefined,
    wanted: {
      candidates?: AskBelief["candidates"];
      predict?: RowsJson;
      judge?: RowsJson & { response: readonly number[] };
      latents?: readonly string[];
    },
  ): Promise<BeliefJson> {
    const { experiment, settings, key } = this;
    return await this.theories.ask(experiment.program, {
      op: "belief",
      design: designOf(experiment),
      theories: theories ?? [{ text: experiment.program, prior: 1 }],
      seen: this.#transcript,
      particles: settings.particles,
      key: [...key, "belief"],
      ...wanted,
    }) as BeliefJson;
  }

  get #transcript() {
    return { ...rowsJson(this.#seen, this.experiment), response: this.#responses };
  }

  /** Has the questions answered, and keeps their rows. The last answer is judged by rows that are drawn then. */
  async answer(by: AnswerBy, checkpoint: number, isLast: boolean): Promise<Judged> {
    const { experiment } = this;
    const predict = rowsJson(this.questionRows, experiment);
    const judge = isLast ? await this.#freshRows() : undefined;
    if (by.kind === "values") return this.#numbers(by.numbers, checkpoint);
    if (by.kind === "program") {
      if (this.#seen.length === 0) {
        this.#keep(checkpoint, []);
        return {
          status: "refused",
          reason: "a program is fitted to the rows that were asked, and none was",
        };
      }
      const found = await this.theories.judge({
        program: by.program,
        design: designOf(experiment),
        seen: this.#transcript,
        predict,
        judge: judge ?? { rows: 0, columns: predict.columns, response: [] },
      });
      if (!found.ok) {
        this.#keep(checkpoint, []);
        return { status: "refused", reason: found.reason };
      }
      this.#keep(checkpoint, latentGoal(experiment) ? [] : this.#answers(found.predicted!));
      return { status: "ok", ...(judge && await this.#scored(judge, found.log_densities)) };
    }
    const theories = by.kind === "theories" ? by.theories : undefined;
    const goal = latentGoal(experiment);
    const wanted = goal ? { latents: goal.latents } : { predict };
    const found = await this.#believe(theories, { ...wanted, ...(judge && { judge }) });
    if (goal && !found.latent_draws) {
      this.#keep(checkpoint, []);
      return { status: "refused", reason: `no theory has all of ${goal.latents.join(", ")}` };
    }
    this.#keep(
      checkpoint,
      goal
        ? bestAnswer(found.latent_draws!, goal, errorKind(experiment))
        : this.#answers(found.predicted!),
    );
    const truth = theories?.findIndex(({ text }) => text.trim() === experiment.program.trim()) ??
      -1;
    return {
      status: "ok",
      ...(judge && await this.#scored(judge, found.log_densities!)),
      ...(truth >= 0 && { true_share: found.theories[truth].share }),
    };
  }

  #numbers(numbers: readonly unknown[], checkpoint: number): Judged {
    const read = this.truths.map((_, q) => readNumber(numbers[q]));
    const missing = read.findIndex((one) => one === undefined);
    this.#keep(checkpoint, read);
    if (missing < 0) return { status: "ok" };
    const reason = `answer ${missing + 1} is ${
      JSON.stringify(numbers[missing]) ?? "missing"
    }, wanted a number`;
    return { status: "refused", reason };
  }

  /** Rows of the questions' distribution, with responses that nature draws now. */
  async #freshRows() {
    const { experiment } = this;
    const random = new RandomStream(...this.key, "fresh", this.#turn);
    const rows = Array.from({ length: this.settings.fresh }, () => questionRow(experiment, random));
    const at = rowsJson(rows, experiment);
    const response = await this.theories.ask(experiment.program, {
      op: "responses",
      design: designOf(experiment),
      latents: this.latents,
      at,
      key: [...this.key, "fresh", this.#turn],
      copies: 1,
    }) as number[];
    return { ...at, response };
  }

  async #scored(
    judge: RowsJson & { response: readonly number[] },
    logs: readonly (number | null)[],
  ) {
    const floor = (one: number | null) => one ?? leastLog;
    const own = logs.map(floor);
    const mean = own.reduce((a, b) => a + b, 0) / own.length;
    const squares = own.reduce((sum, one) => sum + (one - mean) ** 2, 0);
    return {
      log_score: mean,
      mcse: Math.sqrt(squares / (own.length - 1) / own.length),
      ...await this.#oracleScore(judge),
    };
  }

  /** The mean log density of the rows given the true latents; none where the world has no density. */
  async #oracleScore(judge: RowsJson & { response: readonly number[] }) {
    const { experiment, theories, latents } = this;
    if (experiment.module?.has_density === false) return {};
    const asked = { op: "densities", design: designOf(experiment), latents, at: judge } as const;
    const truth = await theories.ask(experiment.program, asked) as (number | null)[];
    const sum = truth.reduce<number>((all, one) => all + (one ?? leastLog), 0);
    return { oracle_log_score: sum / truth.length };
  }

  #answers(predicted: NonNullable<BeliefJson["predicted"]>): number[] {
    return predicted.map((one) => answerOf(one, this.experiment));
  }

  /** Answers about latents in the order that fits them best, where all are there. */
  #inBestOrder(answers: readonly (number | undefined)[]): readonly (number | undefined)[] {
    const goal = latentGoal(this.experiment);
    const isWhole = this.truths.every((_, q) => answers[q] !== undefined);
    if (!goal || !isWhole) return answers;
    return inBestOrder(answers as number[], this.truths, goal, errorKind(this.experiment));
  }

  /** Keeps the rows of the questions; an answer that is missing is none. */
  #keep(checkpoint: number, given: readonly (number | undefined)[]): void {
    const { experiment, oracle, constants, questionViews } = this;
    const kind = errorKind(experiment);
    const answers = this.#inBestOrder(given);
    this.truths.forEach((truth, question) => {
      const answer = answers[question];
      const constant = constants[question % constants.length];
      this.questions.push({
        checkpoint,
        question,
        input: questionViews[question],
        truth,
        answer,
        oracle: oracle[question],
        constant,
        ...(answer !== undefined && { error: errorOf(answer, truth, kind) }),
        oracle_error: errorOf(oracle[question], truth, kind),
        constant_error: errorOf(constant, truth, kind),
      });
    });
  }
}

/** Nats with their interval. */
interface Nats {
  readonly nats: number;
  readonly low: number;
  readonly high: number;
}

function summed(all: readonly Nats[]): Nats {
  const sum = (of: (one: Nats) => number) => all.reduce((total, one) => total + of(one), 0);
  return {
    nats: sum(({ nats }) => nats),
    low: sum(({ low }) => low),
    high: sum(({ high }) => high),
  };
}

function bestOf(nats: readonly Nats[]): number {
  return nats.reduce((best, { nats: one }, k) => one > nats[best].nats ? k : best, 0);
}

function nameOf(row: InputRow, experiment: Experiment): string {
  return JSON.stringify(shownRow(askedOf(row, experiment), experiment));
}

/** The questions of an episode: where all rows are listed, entries that may not be asked. */
function questionsOf(
  experiment: Experiment,
  key: Key,
  catalogue: readonly InputRow[] | undefined,
): readonly InputRow[] {
  const random = new RandomStream(...key, "questions");
  const { balanced } = experiment.questions;
  const count = experiment.questions.count * (balanced ? drawnOfBalanced : 1);
  if (!isListed(experiment) || !catalogue) {
    return Array.from({ length: count }, () => questionRow(experiment, random));
  }
  const left = [...catalogue];
  return Array.from(
    { length: Math.min(count, left.length - 1) },
    () => left.splice(random.below(left.length), 1)[0],
  );
}

/** Questions that are drawn for each one that is asked, where as many are wanted of either answer. */
const drawnOfBalanced = 20;

/** Places of the questions that are asked; none where there are too few of one answer. */
function chosenQuestions(
  truths: readonly number[],
  { questions: { count, balanced } }: Experiment,
): readonly number[] | undefined {
  const places = truths.map((_, q) => q);
  if (!balanced) return places;
  const [zeros, ones] = [0, 1].map((answer) => places.filter((q) => truths[q] === answer));
  const half = Math.floor(count / 2);
  if (zeros.length < half || ones.length < count - half) return undefined;
  return [...zeros.slice(0, half), ...ones.slice(0, count - half)].sort((a, b) => a - b);
}

function unbalanced({ name }: Experiment): Error {
  const message =
    `Cannot play experiment "${name}": in ${mostWorlds} worlds its questions had one ` +
    "answer nearly always, and as many of either are wanted";
  const hint = "leave out balanced, or draw questions where both answers occur";
  return inputError("play/balanced", message, undefined, hint);
}

/** The answer of a predictive distribution: its mean, median, or likelier side. */
export function answerOf(
  { mean, median }: { readonly mean: number; readonly median: number },
  experiment: Experiment,
): number {
  const kind = errorKind(experiment);
  return kind === "squared" ? mean : kind === "absolute" ? median : mean >= 0.5 ? 1 : 0;
}

function centreOf(
  values: readonly number[],
  rows: number,
  row: number,
  experiment: Experiment,
): number {
  const own = Array.from({ length: values.length / rows }, (_, s) => values[s * rows + row]).sort((
    a,
    b,
  ) => a - b);
  const mean = own.reduce((a, b) => a + b, 0) / own.length;
  return answerOf({ mean, median: own[Math.floor(own.length / 2)] }, experiment);
}

function overflow({ name }: Experiment): Error {
  return new Error(
    `Cannot play experiment "${name}": its theory overflows at its questions in each of ${mostWorlds} worlds`,
  );
}
