/** Sampling under a mask by a model that scores tokens one by one: each legal token is an edge of its own. */
import { logSoftmax } from "../../numerics/math/mod.ts";
import type { Environment, Prompt } from "../environments/environment.ts";
import type { Trajectory } from "../trajectories/trajectory.ts";
import { distinctWalks, type OpenWalk, pathKey } from "./network.ts";
import type { SampleOptions } from "./policy.ts";
import { sampleWalks } from "./sampling.ts";
import type { ScoringSession, WalkScores } from "./scorer.ts";

/** A token behind others. */
export interface Edge {
  /** Tokens before it, those of the prompt among them. */
  readonly before: readonly number[];
  /** The token itself. */
  readonly id: number;
}

/** Calls of a model. */
export interface EdgeScores {
  /** Tokens before the first action under a prompt. */
  readonly rootOf: (prompt: Prompt) => readonly number[];
  /** log p of each edge's token over the whole vocabulary. */
  readonly score: (edges: readonly Edge[]) => Promise<readonly number[]>;
}

/**
 * Trajectories whose log P_F is the model's, normalised over the legal tokens of each state.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { sampleEdges } from "./edge_sampling.ts";
 * const digits = environmentNamed("numbers", { max: 9, base: 10 });
 * // A model that prefers small ids by one nat each.
 * const scores = {
 *   rootOf: () => [],
 *   score: (edges: readonly { id: number }[]) => Promise.resolve(edges.map(({ id }) => -id)),
 * };
 * const options = { count: 3, random: new RandomStream("seed 1"), epsilon: 0, temperature: 1 };
 * assert.equal((await sampleEdges(digits, options, scores)).length, 3);
 * ```
 *
 * @throws Error where any token is legal: such texts are written whole.
 */
export async function sampleEdges(
  environment: Environment,
  options: SampleOptions,
  scores: EdgeScores,
): Promise<Trajectory[]> {
  const session = new EdgeSession(scores);
  const walks = await sampleWalks(session, environment, { ...options, version: 0 });
  return walks.map(({ version: _, ...one }) => one);
}

class EdgeSession implements ScoringSession {
  readonly learnsBackward = false;
  readonly stepwise = false;
  readonly inRounds = true;

  constructor(readonly scores: EdgeScores) {}

  async next(walks: readonly OpenWalk[]): Promise<WalkScores> {
    const { distinct, rows } = distinctWalks(walks, pathKey);
    const edges = distinct.map(({ prompt, actions, legal }) => {
      if (legal === "all") throw new Error("internal: an edge for each token of a vocabulary");
      const before = [...this.scores.rootOf(prompt), ...actions];
      return Array.from(legal, (id): Edge => ({ before, id }));
    });
    const found = await this.scores.score(edges.flat());
    let at = 0;
    const logP = edges.map(({ length }) =>
      logSoftmax(Float64Array.from(found.slice(at, at += length)))
    );
    return { logForward: (i) => logP[rows[i]] };
  }

  end(): void {}
}
