/** Models of flows: a network for each space kind, and the tree of its answers. */
import type { Prompt } from "../environments/environment.ts";
import type { Slot } from "../parameters/parameter_layout.ts";
import { askedData } from "./data_prompt.ts";
import { binaryTree, type FlowTree, pathTree } from "./flow_tree.ts";
import { askedGrowth } from "./growth/growth_prompt.ts";
import { growthLayout, GrowthNetwork } from "./growth/growth_network.ts";
import { growthPaths } from "./growth/growth_questions.ts";
import type { Flows, Learnable } from "./network_pass.ts";
import type { NetworkShape } from "./network_shape.ts";
import { programLayout, ProgramNetwork } from "./program_network.ts";
import type { SpaceKind } from "./questions_kind.ts";

/** Flows of one data set. */
export interface PromptFlows {
  readonly flows: Flows;
  /** `[programs]`: whose they are, by the bits of predictors or places in the vocabulary. */
  readonly programs: ArrayLike<number>;
  readonly tree: FlowTree;
}

/** Computation of a policy for many data sets. */
export interface FlowModel {
  /** Places of its parameters. */
  readonly slots: readonly Slot[];
  /** Flows of the programs that a prompt asks about. */
  of(parameters: Learnable, prompt: Prompt): PromptFlows;
}

/** The model of a space kind. */
export function flowModel(space: SpaceKind, shape: NetworkShape): FlowModel {
  return space === "growth" ? growthModel(shape) : regressionModel(shape);
}

function regressionModel(shape: NetworkShape): FlowModel {
  const network = new ProgramNetwork(shape);
  return {
    slots: programLayout(shape),
    of(parameters, prompt) {
      const { summary, programs } = askedData(prompt);
      const flows = network.flows(parameters, summary, programs);
      const tree = binaryTree(flows.values, programs.programs, summary.predictors);
      return { flows, tree, programs: programs.programs };
    },
  };
}

function growthModel(shape: NetworkShape): FlowModel {
  const network = new GrowthNetwork(shape);
  return {
    slots: growthLayout(shape),
    of(parameters, prompt) {
      const summary = askedGrowth(prompt);
      const flows = network.flows(parameters, summary);
      const paths = Array.from(summary.programs, (program) => growthPaths[program]);
      return { flows, tree: pathTree(flows.values, paths), programs: summary.programs };
    },
  };
}
