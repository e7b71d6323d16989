/** An environment of one's own, found by the path of its module and checked where it is cheap. */
import { inputError } from "../../src/base/diagnostic.ts";
import {
  checkEnvironment,
  customEnvironment,
  type Environment,
  isEnvironmentDefinition,
  maskOfRow,
} from "../../src/gfn/environments/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";

/**
 * The environment that a module's default export makes with these parameters.
 *
 * @throws InputError if the export was not made with `defineEnvironment`, or the environment
 * contradicts itself at the initial state or along a few trajectories.
 */
export function makeOwnEnvironment(
  context: StageContext,
  path: string,
  parameters: Readonly<Record<string, unknown>>,
): Environment {
  const definition = context.plugin(path);
  if (!isEnvironmentDefinition(definition)) {
    const hint = "write: export default defineEnvironment({ name, version: 1, create })";
    const message = `Cannot use the environment ${path}: its default export is not an environment`;
    throw inputError("plugin/environment", message, undefined, hint);
  }
  const environment = customEnvironment(definition, parameters);
  for (const what of contradictions(environment)) {
    const message = `Cannot use the environment ${path}: ${what}`;
    throw inputError("plugin/environment", message, undefined, "mend its `create`");
  }
  checkEnvironment(environment, { walks });
  return environment;
}

/** Trajectories by the prior that test the rules of states. A round number: a second for two hundred actions. */
const walks = 4;

function* contradictions(environment: Environment): Generator<string> {
  const { actionNames, exitAction, maxActions, backward, stateKey } = environment;
  const size = actionNames.length;
  if (!(Number.isInteger(exitAction) && exitAction >= 0 && exitAction < size)) {
    yield `exitAction is ${exitAction}, and there are ${size} actions`;
  }
  if (!(Number.isInteger(maxActions) && maxActions > 0)) yield `maxActions is ${maxActions}`;
  if (backward && !stateKey) yield "it has a way back and no stateKey";
  const state = environment.initialState();
  const mask = environment.legalActions(state);
  if (mask.length !== size) yield `legalActions gives ${mask.length} values for ${size} actions`;
  if (!mask.includes(1)) yield "no action is legal in the initial state";
  const priors = environment.logPrior(state).length;
  if (!equalRows(environment, state, mask)) yield "its rows and legalActions contradict each other";
  if (priors !== size) yield `logPrior gives ${priors} values for ${size} actions`;
}

function equalRows({ rows }: Environment, state: unknown, mask: Uint8Array): boolean {
  if (!rows) return true;
  const own = maskOfRow(rows.legal(state), mask.length);
  return own.every((legal, action) => legal === mask[action]);
}
