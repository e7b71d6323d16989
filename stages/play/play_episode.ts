/** Plays one episode: the agent acts, the service answers, checkpoints are answered meanwhile. */
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import type { WeighedTheory } from "../../src/executor/theories/messages.ts";
import type { Action, ActionCost, Agent, Step } from "../../src/executor/play/agents/agent.ts";
import { nextAction } from "../../src/executor/play/agents/next_action.ts";
import type {
  AnswerBy,
  EpisodeView,
  Observed,
  PlaySettings,
} from "../../src/executor/play/episode.ts";
import type { Experiment } from "../../src/executor/play/experiment.ts";
import type { EpisodeLabel } from "../../src/executor/play/messages.ts";

/** Experiment and settings of an episode. */
interface Play {
  readonly experiment: Experiment;
  readonly params: PlaySettings & {
    readonly checkpoints: readonly number[];
    readonly plain: boolean;
  };
  readonly label: EpisodeLabel;
  /** Theories that may be true; the true one if left out. */
  readonly theories?: readonly WeighedTheory[];
  /** Whether queries are those of most expected information. */
  readonly isInformed: boolean;
}

/** A row of the artifact. */
export interface Played extends EpisodeLabel {
  readonly queries: number;
  readonly refusals: number;
}

/** Actions of an episode at most, refused ones included, for each query of the budget. */
const actionsPerQuery = 4;

/** Plays one episode to its end. */
export async function playEpisode(
  context: StageContext,
  { experiment, params, label, theories, isInformed }: Play,
  open: ((label: EpisodeLabel) => Agent) | undefined,
): Promise<Played> {
  const ask = <T>(request: Record<string, unknown>) =>
    context.ask<T>("world", { ...request, ...label });
  const { budget, particles, draws, candidates, fresh } = params;
  const settings = { budget, particles, draws, candidates, fresh };
  const view = await ask<EpisodeView>({ op: "begin", experiment, settings, plain: params.plain });
  const start = performance.now();
  const agent = open?.(label);
  const transcript: Step[] = [];
  const own: AnswerBy = theories ? { kind: "theories", theories } : { kind: "theory" };
  let { catalogue } = view;
  let [left, submitted, tokens, cost] = [budget, undefined as string | undefined, 0, 0];
  const at = new Set(params.checkpoints.filter((one) => one < budget));
  const checkpoint = async () => {
    const asked = budget - left;
    if (!at.delete(asked)) return;
    await ask({ op: "answer", by: own, checkpoint: asked, last: false });
  };
  await checkpoint();
  for (let actions = 0; left > 0 && actions < actionsPerQuery * budget + 4; actions++) {
    const action: Action & ActionCost = isInformed
      ? { kind: "query", query: await ask({ op: "advise", ...(theories && { theories }) }) }
      : await nextAction(label.agent, agent!, {
        ...view,
        ...(catalogue && { catalogue }),
        transcript: [...transcript],
        left,
      });
    tokens += action.tokens ?? 0;
    cost += action.cost ?? 0;
    if (action.kind === "submit") {
      submitted = action.program;
      break;
    }
    const found = await ask<Observed>({ op: "ask", query: action.query ?? null });
    left = found.left;
    if (found.kind === "observation") {
      transcript.push({ query: action.query, observation: found.observation, words: found.words });
      const name = JSON.stringify(action.query);
      catalogue = catalogue?.filter((entry) => JSON.stringify(entry) !== name);
    } else transcript.push({ query: action.query, reason: found.reason });
    await checkpoint();
  }
  const by: AnswerBy = submitted === undefined ? own : { kind: "program", program: submitted };
  await ask({ op: "answer", by, checkpoint: budget, last: true });
  const seconds = (performance.now() - start) / 1000;
  await ask({ op: "end", seconds, tokens, cost });
  const refusals = transcript.filter(({ reason }) => reason !== undefined).length;
  return { ...label, queries: transcript.length - refusals, refusals };
}
