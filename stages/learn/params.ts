/** Parameters of the stage kind `learn`, and the objective that they name. */
import { z } from "../../src/base/zod.ts";
import { inputError } from "../../src/base/diagnostic.ts";
import {
  builtInObjectives,
  commonParameters,
  isObjective,
  type Objective,
  rewardedObjectives,
} from "../../src/gfn/objectives/mod.ts";
import { type Settings, trainingSettings } from "../../src/gfn/settings/mod.ts";
import { modulePath, type StageContext } from "../../src/pipeline/contract/mod.ts";

const objectiveNames = rewardedObjectives.map(({ name }) => name);

const shapeOf = ({ parameters }: Objective): Readonly<Record<string, z.ZodType>> =>
  parameters?.shape ?? {};

/** Parameters that few objectives read: giving one to an objective that does not is a mistake. */
const particular = [...new Set(rewardedObjectives.flatMap((one) => Object.keys(shapeOf(one))))]
  .filter((key) => !(key in commonParameters));

/** Without a default, which depends on the objective; it and the readers are in the description. */
function particularParameter(key: string): z.ZodType {
  const readers = rewardedObjectives.filter((one) => key in shapeOf(one));
  const fields = readers.map((one) => shapeOf(one)[key] as z.ZodDefault);
  const defaults = [...new Set(fields.map((one) => `${one.def.defaultValue}`))].join(" and ");
  const names = readers.map(({ name }) => name).join(", ");
  const plain = fields[0].unwrap() as z.ZodType;
  const what = fields[0].description ?? plain.description;
  return plain.optional().describe(`${names}: ${what} (default: ${defaults})`);
}

function refuseUnread(params: Settings, context: z.RefinementCtx): void {
  const objective = builtInObjectives.get(String(params.objective));
  if (!objective) return;
  const given = [...particular, "parameters"].filter((key) => params[key] !== undefined);
  for (const key of given.filter((key) => !(key in shapeOf(objective)))) {
    const message = `${objective.name} does not read ${key}`;
    context.addIssue({ code: "custom", path: [key], message });
  }
}

/** Parameters of a stage of kind `learn`. */
export const learnParams = z.strictObject({
  objective: z.union([z.enum(objectiveNames), modulePath()])
    .describe("objective, built in or a module made with defineObjective"),
  parameters: z.record(z.string(), z.unknown()).optional()
    .describe("parameters of an own objective"),
  ...commonParameters,
  ...Object.fromEntries(particular.map((key) => [key, particularParameter(key)])),
  ...trainingSettings.shape,
}).superRefine(refuseUnread);

/** Parameters by the schema; those of an objective are among them by name. */
export type LearnParams = z.output<typeof learnParams>;

/**
 * Parameters that the objective reads. An objective of the user's own reads those under
 * `parameters`, and if it declares none all that are not the learner's.
 */
export function objectiveParameters(objective: Objective, params: LearnParams): Settings {
  const builtIn = builtInObjectives.has(params.objective);
  if (!builtIn && objective.parameters) return params.parameters ?? {};
  const learners = ["objective", "parameters", ...Object.keys(trainingSettings.shape)];
  const reads = (key: string) => builtIn ? key in shapeOf(objective) : !learners.includes(key);
  const given = Object.entries(params).filter(([key, value]) => value !== undefined && reads(key));
  return { ...Object.fromEntries(given), ...params.parameters };
}

/** @throws InputError if a plug-in's default export is not an objective. */
export function findObjective(name: string, context: StageContext): Objective {
  const builtIn = builtInObjectives.get(name);
  if (builtIn) return builtIn;
  const plugin = context.plugin(name);
  if (isObjective(plugin)) return plugin;
  const hint = "write: export default defineObjective({ name, version: 1, moves, evaluate })";
  const message = `Cannot use the objective ${name}: its default export is not an objective`;
  throw inputError("plugin/objective", message, undefined, hint);
}
