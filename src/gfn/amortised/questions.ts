/** Environment of a kind of model space: which predictors are in, for the data set of the prompt. */
import { digestOf } from "../../base/digest.ts";
import { type Environment, noPrompt, type Prompt } from "../environments/environment.ts";
import { SpecChecks } from "../environments/checks.ts";
import { requireInner } from "../environments/legal_actions.ts";
import { maskOf } from "../environments/tree.ts";
import { uniformLogPrior } from "../environments/uniform_prior.ts";
import { growthQuestions, type GrowthQuestionsSpec } from "./growth/growth_questions.ts";
import { predictorsOf } from "./data_prompt.ts";
import { questionsKind, type SpaceKind } from "./questions_kind.ts";
import { mostPredictors } from "./simulation.ts";

/** Specification of the questions about a data set of either kind. */
export type AnyQuestionsSpec = QuestionsSpec | GrowthQuestionsSpec;

/**
 * The environment that a specification spans.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentOfQuestions } from "./questions.ts";
 * assert.equal(environmentOfQuestions({ space: "regression", predictors: 3 }).kind, "questions");
 * ```
 */
export function environmentOfQuestions(spec: AnyQuestionsSpec): Environment {
  const made = spec.space === "growth" ? growthQuestions() : questionsEnvironment(spec);
  return made as Environment;
}

/**
 * Questions of a space kind; `predictors` is how many a regression has at most.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { questionsOf } from "./questions.ts";
 * assert.equal(questionsOf("regression", 3).kind, "questions");
 * ```
 */
export function questionsOf(space: SpaceKind, predictors: number): Environment {
  return environmentOfQuestions(space === "growth" ? { space } : { space, predictors });
}

/** Specification of the questions about a regression. */
export interface QuestionsSpec {
  /** Space kind. */
  readonly space: "regression";
  /** Most predictors of a data set. */
  readonly predictors: number;
}

/** Answers so far, about a data set. */
export interface Answered {
  /** The data set that is asked about. */
  readonly prompt: Prompt;
  /** Predictors of its data set. */
  readonly predictors: number;
  /** Answers so far: 2 j has predictor j out, 2 j + 1 has it in. */
  readonly actions: readonly number[];
}

/**
 * One question after the other: is predictor j in or out? The vocabulary is the same for all data sets;
 * predictors that a data set lacks are not asked. Rewards belong to data sets: the environment has none.
 *
 * @throws InputError if there are fewer than 1 or more than 12 predictors.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { questionsEnvironment } from "./questions.ts";
 * const questions = questionsEnvironment({ space: "regression", predictors: 2 });
 * assert.deepEqual([...questions.enumerate()].map(({ text }) => text), ["1", "1 + x2", "1 + x1", "1 + x1 + x2"]);
 * ```
 */
export function questionsEnvironment(spec: QuestionsSpec): Environment<Answered> {
  const checks = new SpecChecks(questionsKind);
  checks.integer("predictors", spec.predictors, 1, mostPredictors);
  checks.done();
  const most = spec.predictors;
  const exitAction = 2 * most;
  const masks = Array.from({ length: most }, (_, j) => maskOf(exitAction + 1, [2 * j, 2 * j + 1]));
  const last = maskOf(exitAction + 1, [exitAction]);
  const legal = ({ actions, predictors }: Answered) =>
    actions.length < predictors ? masks[actions.length] : last;
  const environment: Environment<Answered> = {
    kind: questionsKind,
    digest: digestOf({ kind: questionsKind, spec }),
    spec,
    actionNames: [
      ...Array.from({ length: most }, (_, j) => [`no x${j + 1}`, `x${j + 1}`]).flat(),
      "exit",
    ],
    exitAction,
    maxActions: most + 1,
    count: 2 ** most,
    initialState: (prompt = noPrompt) => {
      return { prompt, predictors: Math.min(most, predictorsOf(prompt) ?? most), actions: [] };
    },
    legalActions: legal,
    logPrior: (state) => uniformLogPrior(legal(state)),
    step(state, action) {
      requireInner(legal(state), action, exitAction);
      return { ...state, actions: [...state.actions, action] };
    },
    terminal({ actions, predictors }) {
      if (actions.length < predictors) throw new Error("internal: exit is illegal");
      const features = actions.flatMap((action, j) => action % 2 === 1 ? [`x${j + 1}`] : []);
      const logPrior = predictors * uniformLogPrior(masks[0])[0];
      return {
        text: ["1", ...features].join(" + "),
        features,
        logPrior,
        actions: [...actions, exitAction],
      };
    },
    *enumerate() {
      for (let place = 0; place < 2 ** most; place++) {
        const actions = Array.from(
          { length: most },
          (_, j) => 2 * j + ((place >> (most - 1 - j)) & 1),
        );
        yield environment.terminal({ prompt: noPrompt, predictors: most, actions });
      }
    },
  };
  return environment;
}

/** Actions that give the answers of a program's bits, exit included. */
export function actionsOf(
  { exitAction }: Pick<Environment, "exitAction">,
  bits: number,
  predictors: number,
): number[] {
  return [...Array.from({ length: predictors }, (_, j) => 2 * j + ((bits >> j) & 1)), exitAction];
}
