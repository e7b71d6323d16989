/** Spaces with far modes, and the recipe by which a policy with proposals learns each of them. */
import crossing from "../../docs/examples/crossing_proposer.ts";
import divergent from "../../docs/examples/divergent_proposer.ts";
import lossGuided from "../../docs/examples/loss_guided_proposer.ts";
import {
  bitSequenceEnvironment,
  bitSequenceModes,
} from "../../src/gfn/environments/bit_sequence.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { hypergridEnvironment } from "../../src/gfn/environments/built_in_environments.ts";
import type { Objective } from "../../src/gfn/objectives/objective.ts";
import { subTrajectoryBalance } from "../../src/gfn/objectives/sub_trajectory_balance.ts";
import { trajectoryBalance } from "../../src/gfn/objectives/trajectory_balance.ts";
import type { ProposerDefinition } from "../../src/gfn/train/propose/define_proposer.ts";
import type { ProposeOptions } from "../../src/gfn/train/propose/proposer.ts";
import type { GivenTrainingSettings } from "../../src/gfn/train/training_settings.ts";

/** How a policy learns. */
export interface Recipe {
  readonly layers: number;
  readonly width: number;
  /** Of a transformer; a perceptron where left out. */
  readonly heads?: number;
  readonly objective: Objective;
  readonly parameters: Readonly<Record<string, string | number>>;
  readonly settings: GivenTrainingSettings;
  readonly steps: number;
  /** Of the policy's own walks, in every step. */
  readonly batch: number;
  readonly propose: ProposeOptions;
}

/** A space and its recipe. */
export interface Task {
  readonly name: string;
  /** As in the table. */
  readonly title: string;
  readonly environment: Environment;
  readonly recipe: Recipe;
  /** Where objects cannot be enumerated: modes to look for among those that were met. */
  readonly modes?: Modes;
}

/** Hidden sequences, and the distances within which one counts as found. */
export interface Modes {
  readonly texts: readonly string[];
  /** Edits. */
  readonly within: number;
  /** Bits that differ. */
  readonly withinHamming: number;
}

const settings: GivenTrainingSettings = {
  learning_rate: { start: 5e-3, schedule: "cosine", end: 0 },
  log_z_learning_rate: 0.1,
  replay: { capacity: 4096, fraction: 0.5, choice: "prioritised" },
};

/** One proposer beside the policy, or none. */
function ownRecipe(propose: Omit<ProposeOptions, "memory">): Recipe {
  return { ...gridRecipe(16, 1000), propose: { memory: 1000, ...propose } };
}

/** Sixteen ways a step by a proposer of one's own. */
const own = (definition: ProposerDefinition) =>
  ownRecipe({ own: { definition, count: 16, parameters: {} } });

/** The grid of 16 × 16 by ways to explore, each alone. */
function explored(name: string, title: string, recipe: Recipe): Task {
  return { ...grid(title, 2, 16, recipe), name: `explored_${name}` };
}

/** Half as many broad walks as walks of the policy, and as many searches. */
function gridRecipe(batch: number, steps: number): Recipe {
  const count = batch / 2;
  return {
    ...{ layers: 2, width: 128, settings, steps, batch },
    objective: subTrajectoryBalance,
    parameters: { flow: "exact_where_terminable", lambda: 1 },
    propose: { memory: 1000, broad: { count }, localSearch: { count, rounds: 1, cut: 0.5 } },
  };
}

function grid(title: string, ndim: number, height: number, recipe: Recipe): Task {
  const spec = { ndim, height, r0: 1e-4, r1: 0.5, r2: 2 };
  const environment = hypergridEnvironment(spec) as Environment;
  return { name: `hypergrid_${height}_${ndim}`, title, environment, recipe };
}

/** 60 hidden sequences of 120 bits, by the distance that rewards: which one published code does not agree on. */
function bits(distance: "edit" | "hamming", beta: number, recipe: Recipe): Task {
  const spec = { n: 120, k: 4, beta, distance, modes: 60, seed: 0 } as const;
  const environment = bitSequenceEnvironment(spec) as Environment;
  const isEdit = distance === "edit";
  return {
    name: isEdit ? "bits_120" : "bits_120_hamming",
    title: isEdit ? "R = exp(−edit distance)" : "R = exp(−2 · Hamming distance)",
    ...{ environment, recipe },
    modes: { texts: bitSequenceModes(spec), within: 28, withinHamming: 30 },
  };
}

/** Few steps with long searches, each from a walk of its own. */
const bitsRecipe: Recipe = {
  ...{ layers: 1, width: 32, heads: 4, steps: 60, batch: 12 },
  objective: trajectoryBalance,
  parameters: {},
  settings: {
    learning_rate: { start: 1e-2, schedule: "cosine", end: 0 },
    replay: { capacity: 4096, fraction: 0.1, choice: "prioritised" },
  },
  propose: {
    memory: 1000,
    broad: { count: 4 },
    localSearch: { count: 16, rounds: 40, cut: 0.07, rejoin: true, from: "fresh" },
  },
};

/** Every task. */
export const tasks: readonly Task[] = [
  grid("Hypergrid 16 × 16, R0 = 0.0001", 2, 16, gridRecipe(16, 1000)),
  grid("Hypergrid 8⁴, R0 = 0.0001", 4, 8, gridRecipe(32, 4000)),
  bits("edit", 1, bitsRecipe),
  bits("hamming", 2, bitsRecipe),
];

/** Ways to explore, on one grid. */
export const explorers: readonly Task[] = [
  explored("alone", "the policy alone", ownRecipe({})),
  explored("broad", "broad walks", ownRecipe({ broad: { count: 16 } })),
  explored(
    "local_search",
    "local search",
    ownRecipe({ localSearch: { count: 16, rounds: 1, cut: 0.5 } }),
  ),
  explored(
    "teacher",
    "a teacher, a second policy that is trained where the loss is (Kim et al. 2025)",
    ownRecipe({ teacher: { count: 16, mixing: 0.5, missed: 19, learningRate: 3e-3 } }),
  ),
  explored("crossing", "`crossing_proposer.ts`", own(crossing)),
  explored("loss_guided", "`loss_guided_proposer.ts`", own(lossGuided)),
  explored("divergent", "`divergent_proposer.ts`", own(divergent)),
];
