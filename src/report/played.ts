/** Reads the experiments that agents played: who asked best, by how many nats, and how sure that is. */
import { bootstrap, type EpisodeErrors, type Interval, skillOf } from "../executor/play/scores.ts";
import type { Ask, Row } from "./rows.ts";

/** One agent on one experiment. */
interface PlayedAgent {
  readonly stage: string;
  readonly agent: string;
  readonly episodes: number;
  /** Expected nats of the queries of an episode, about the latents of the true theory; none where it is unknown. */
  readonly nats?: Interval;
  /** Mean error of the last answers, that with known latents, and of a constant answer. */
  readonly error: Interval;
  readonly oracle: number;
  readonly constant: number;
  readonly skill: Interval;
  /** Expected log score a row, below that of the true latents; none where numbers were answered. */
  readonly regret?: Interval;
  /** Mean probability of the true theory, where theories were in question. */
  readonly true_share?: Interval;
  readonly refused: number;
}

/** Two agents who played the same worlds. */
interface PlayedPair {
  readonly first: string;
  readonly second: string;
  /** Paired difference an episode, in favour of the first. */
  readonly gap: Interval;
  /** Share of bootstrap resamples in which the first has more. */
  readonly sure: number;
  /** Worlds that both played. */
  readonly episodes: number;
}

/** Figures by which agents are compared: nats where all have them, else errors. */
type ComparedBy = "nats" | "error";

/** Agents of one experiment, best askers first; where nats are not known, those with the least error. */
export interface PlayedExperiment {
  readonly experiment: string;
  readonly error: string;
  readonly by: ComparedBy;
  readonly agents: readonly PlayedAgent[];
  /** The best asker against each of the others. */
  readonly pairs: readonly PlayedPair[];
}

/** Reads the episodes of a run. */
export async function readPlayed(ask: Ask): Promise<readonly PlayedExperiment[]> {
  const rows = await ask("select * from episode order by experiment, stage, seed, episode");
  if (rows.length === 0) return [];
  const kinds = await ask("select name, any_value(error) as error from experiment group by name");
  return [...Map.groupBy(rows, ({ experiment }) => String(experiment))].map(([experiment, own]) => {
    const error = String(kinds.find(({ name }) => name === experiment)?.error ?? "");
    return playedExperiment(experiment, error, own);
  });
}

function playedExperiment(
  experiment: string,
  error: string,
  rows: readonly Row[],
): PlayedExperiment {
  const byStage = Map.groupBy(rows, ({ stage }) => String(stage));
  const all = [...byStage].map(([stage, own]) => playedAgent(stage, own));
  const by = all.every(({ nats }) => nats) ? "nats" : "error";
  const worthOf = ({ nats, error }: PlayedAgent) => by === "nats" ? nats!.value : -error.value;
  const agents = all.sort((a, b) => lastIfNone(worthOf(b)) - lastIfNone(worthOf(a)));
  const [first, ...others] = agents;
  const pairs = others.map((other) => {
    const [own, theirs] = [first, other].map(({ stage }) => byStage.get(stage)!);
    return { first: first.stage, second: other.stage, ...pairOf(by, own, theirs) };
  });
  return { experiment, error, by, agents, pairs: pairs.filter(({ episodes }) => episodes > 1) };
}

function lastIfNone(worth: number): number {
  return Number.isNaN(worth) ? -Number.MAX_VALUE : worth;
}

function playedAgent(stage: string, rows: readonly Row[]): PlayedAgent {
  const numbers = (name: string) =>
    rows.map((row) => row[name]).filter((one) => one !== null && one !== undefined).map(Number);
  const meanOf = (values: readonly number[]) => bootstrap(values, mean);
  const errors = rows.filter(({ error }) => error !== null).map((row): EpisodeErrors => ({
    error: Number(row.error),
    oracle: Number(row.oracle_error),
    constant: Number(row.constant_error),
  }));
  const regrets = rows.filter(({ log_score: own, oracle_log_score: best }) =>
    own !== null && best !== null
  )
    .map(({ log_score: own, oracle_log_score: best }) => Number(best) - Number(own));
  const shares = numbers("true_share");
  const nats = numbers("nats");
  return {
    stage,
    agent: String(rows[0].agent),
    episodes: rows.length,
    ...(nats.length > 0 && { nats: meanOf(nats) }),
    error: meanOf(numbers("error")),
    oracle: mean(numbers("oracle_error")),
    constant: mean(numbers("constant_error")),
    skill: skillOf(errors),
    ...(regrets.length > 0 && { regret: meanOf(regrets) }),
    ...(shares.length > 0 && { true_share: meanOf(shares) }),
    refused: numbers("refusals").reduce((a, b) => a + b, 0),
  };
}

/** Differences in the worlds that both played, in favour of the first. */
function pairOf(
  by: ComparedBy,
  own: readonly Row[],
  others: readonly Row[],
): Omit<PlayedPair, "first" | "second"> {
  const nameOf = ({ seed, episode }: Row) => `${seed} ${episode}`;
  const sign = by === "nats" ? 1 : -1;
  const [known, theirs] = [own, others].map((rows) =>
    new Map(rows.filter((row) => row[by] !== null).map((row) => [nameOf(row), Number(row[by])]))
  );
  const gaps = [...known].filter(([name]) => theirs.has(name))
    .map(([name, value]) => sign * (value - theirs.get(name)!));
  let [more, all] = [0, 0];
  const gap = bootstrap(gaps, (some) => {
    const found = mean(some);
    all++;
    if (found > 0) more++;
    return found;
  });
  return { gap, sure: more / all, episodes: gaps.length };
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? NaN : values.reduce((a, b) => a + b, 0) / values.length;
}

/** An experiment as reports of every kind show it. */
interface PlayedView {
  /** The order of its agents, in words. */
  readonly order: string;
  readonly head: readonly string[];
  /** A row for each agent. */
  readonly rows: readonly (readonly string[])[];
  /** Which agent asked best, by how many nats, and how sure that is, for each of the others. */
  readonly sentences: readonly string[];
}

/** An experiment in words and cells. */
export function playedView(played: PlayedExperiment): PlayedView {
  return {
    order: played.by === "nats" ? "best askers first" : "least error first",
    head: ["agent", "nats", "error", "oracle", "skill", "regret", "true theory"],
    rows: played.agents.map(agentRow),
    sentences: played.pairs.map((pair) => pairSentence(pair, played.by)),
  };
}

function pairSentence({ first, second, gap, sure, episodes }: PlayedPair, by: ComparedBy): string {
  const digits = by === "nats" ? 2 : 3;
  const [value, low, high] = [gap.value, gap.low, gap.high].map((one) => one.toFixed(digits));
  const [did, unit] = by === "nats" ? ["asked", "nats"] : ["answered", "of error"];
  return `${first} ${did} better than ${second} by ${value} ${unit} an episode (95 % from ${low} to ` +
    `${high}), ${surely(sure)}, in ${episodes} worlds that both played.`;
}

function surely(sure: number): string {
  return sure >= 0.999 ? "surer than 99.9 %" : `${(100 * sure).toFixed(1)} % sure`;
}

function agentRow(one: PlayedAgent): string[] {
  return [
    one.stage,
    one.nats ? interval(one.nats, 2) : "–",
    interval(one.error, 3),
    rounded(one.oracle, 3),
    interval(one.skill, 2),
    one.regret ? interval(one.regret, 3) : "–",
    one.true_share ? interval(one.true_share, 2) : "–",
  ];
}

function interval({ value, low, high }: Interval, digits: number): string {
  return `${rounded(value, digits)} (${rounded(low, digits)} … ${rounded(high, digits)})`;
}

function rounded(value: number, digits: number): string {
  if (Number.isNaN(value)) return "–";
  return Math.abs(value) >= 100 ? value.toPrecision(4) : value.toFixed(digits);
}
