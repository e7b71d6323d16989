/** Questions about growth: which curve, which family of noise, how it spreads. */
import { digestOf } from "../../../base/digest.ts";
import { type Environment, noPrompt, type Prompt } from "../../environments/environment.ts";
import { requireInner } from "../../environments/legal_actions.ts";
import { maskOf } from "../../environments/tree.ts";
import { uniformLogPrior } from "../../environments/uniform_prior.ts";
import { questionsKind } from "../questions_kind.ts";
import { marksOf, programAt } from "./growth_places.ts";
import { growthSizes } from "./growth_sizes.ts";
import { curveNames } from "./mean_curves.ts";
import { growthFamilies, noises } from "./noises.ts";

/** Specification of the questions. */
export interface GrowthQuestionsSpec {
  /** Space kind. */
  readonly space: "growth";
}

/** Answers so far, about a data set. */
interface AnsweredGrowth {
  /** The data set that is asked about. */
  readonly prompt: Prompt;
  /** Answers so far. */
  readonly actions: readonly number[];
}

const spreads = ["constant", "proportional"] as const;

/** Answers to its questions, by the actions of a program. */
export const growthAnswers: readonly { readonly question: string; readonly answer: string }[] =
  Object.entries({ curve: curveNames, family: growthFamilies, spread: spreads })
    .flatMap(([question, answers]) => answers.map((answer) => ({ question, answer })));

const names = [...growthAnswers.map(({ answer }) => answer), "exit"];

const exitAction = names.length - 1;

const [familyAt, spreadAt] = [curveNames.length, curveNames.length + growthFamilies.length];

/** Actions that write a program, exit excluded, by its place in the vocabulary. */
export const growthPaths: readonly (readonly number[])[] = curveNames.flatMap((_, c) =>
  noises.map(({ family, spread }) => [
    c,
    familyAt + growthFamilies.indexOf(family),
    ...(spread ? [spreadAt + spreads.indexOf(spread)] : []),
  ])
);

const range = (from: number, to: number) =>
  maskOf(names.length, Array.from({ length: to - from }, (_, k) => from + k));

const [anyFamily, anySpread, end] = [
  range(familyAt, spreadAt),
  range(spreadAt, exitAction),
  range(exitAction, exitAction + 1),
];

const anyCurve = range(0, familyAt);

const known = new WeakMap<Prompt, Uint8Array>();

/** Curves of a data set, those that suit its ages, from its prompt. */
function curvesOf(prompt: Prompt): Uint8Array {
  const before = known.get(prompt);
  if (before) return before;
  const { tokens } = prompt;
  const count = tokens.length > 3 ? tokens[2] : 0;
  const programs = tokens.slice(tokens.length > 3 ? dataEnd : 0).slice(0, count);
  const places = new Set(programs.map((one) => marksOf(one)[0]));
  const mask = count === 0 ? anyCurve : maskOf(names.length, places);
  known.set(prompt, mask);
  return mask;
}

/** Where the numbers of the whole end in a prompt: its rows, a 1 and how many programs there are come before. */
const dataEnd = 3 + growthSizes.data;

/** One question after the other; relative noises are not asked how they spread. */
export function growthQuestions(): Environment<AnsweredGrowth> {
  const spec: GrowthQuestionsSpec = { space: "growth" };
  const legal = ({ prompt, actions }: AnsweredGrowth) => {
    if (actions.length === 0) return curvesOf(prompt);
    if (actions.length === 1) return anyFamily;
    const isRelative = actions[1] === spreadAt - 1;
    return actions.length === 2 && !isRelative ? anySpread : end;
  };
  const environment: Environment<AnsweredGrowth> = {
    kind: questionsKind,
    digest: digestOf({ kind: questionsKind, spec }),
    spec,
    actionNames: names,
    exitAction,
    maxActions: 4,
    count: growthPaths.length,
    initialState: (prompt = noPrompt) => ({ prompt, actions: [] }),
    legalActions: legal,
    logPrior: (state) => uniformLogPrior(legal(state)),
    step(state, action) {
      requireInner(legal(state), action, exitAction);
      return { ...state, actions: [...state.actions, action] };
    },
    terminal(state) {
      if (legal(state) !== end) throw new Error("internal: exit is illegal");
      const features = state.actions.map((action) => names[action]);
      return {
        text: features.join(", "),
        features,
        logPrior: logPriorOf(environment, state),
        actions: [...state.actions, exitAction],
      };
    },
    *enumerate() {
      for (const actions of growthPaths) yield environment.terminal({ prompt: noPrompt, actions });
    },
  };
  return environment;
}

function logPriorOf(environment: Environment<AnsweredGrowth>, { prompt, actions }: AnsweredGrowth) {
  return actions.reduce(
    (sum, action, t) =>
      sum + environment.logPrior({ prompt, actions: actions.slice(0, t) })[action],
    0,
  );
}

/**
 * Place in the vocabulary of a program with these answers; −1 if it has none.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { growthPlace } from "./growth_questions.ts";
 * assert.equal(growthPlace({ curve: "none", family: "normal" }), -1);
 * assert(growthPlace({ curve: "logarithmic", family: "log_normal" }) >= 0);
 * ```
 */
export function growthPlace(said: Readonly<Record<string, string>>): number {
  const curve = curveNames.findIndex((name) => name === said.curve);
  const noise = noises.findIndex(({ family, spread }) =>
    family === said.family && (spread === undefined || spread === said.spread)
  );
  return curve < 0 || noise < 0 ? -1 : programAt(curve, noise);
}
