/** Runs the stage kind `grammar`: reads the file and checks every program that it derives. */
import { readRegularText } from "../../src/base/regular_file.ts";
import type { Environment } from "../../src/gfn/environments/mod.ts";
import type { GrammarSpec } from "../../src/gfn/grammar/mod.ts";
import { defineStage } from "../../src/pipeline/contract/mod.ts";
import { checkingHere } from "../common/checked_here.ts";
import declaration from "./mod.ts";

export default defineStage({
  ...declaration,
  async run(context, { data }, { path, check_seconds: seconds }) {
    const { spec, environment } = await readEnvironment(path);
    const { describeRecursion } = await import("../../src/gfn/grammar/mod.ts");
    for (const line of describeRecursion(spec)) context.log(line);
    if (spec.writes === "text") {
      context.log(`texts of at most ${environment.maxActions} actions each`);
      return { environment };
    }
    const { checkPrograms } = await import("./check_programs.ts");
    const { programs, checked, diagnostics } = await checkPrograms(
      context,
      spec,
      environment,
      { data, seconds },
    );
    for (const { message } of diagnostics) context.log(message, "warning");
    context.log(
      `${environment.actionNames.length} actions, at most ${environment.maxActions} each`,
    );
    if (checked < programs) context.log(sampled(programs, checked));
    return { environment };
  },
  async check({ context, inputs: { data }, params: { path } }) {
    const { spec, environment } = await readEnvironment(path);
    if (spec.writes === "text") return { environment };
    const { checkPrograms } = await import("./check_programs.ts");
    await checkPrograms(checkingHere(context), spec, environment, { data, most: fewPrograms });
    return { environment };
  },
});

/** Programs that a check of the pipeline reads, every production among them. */
const fewPrograms = 200;

/** @throws InputError with every finding, at its place in the file. */
async function readEnvironment(
  path: string,
): Promise<{ readonly spec: GrammarSpec; readonly environment: Environment }> {
  const { parseTomlFile } = await import("../../src/pipeline/toml/mod.ts");
  const { readGrammar } = await import("../../src/gfn/grammar/mod.ts");
  const { grammarEnvironment } = await import("../../src/gfn/grammar/mod.ts");
  const spec = readGrammar(parseTomlFile(readRegularText(path, Infinity), path), path);
  return { spec, environment: grammarEnvironment(spec) };
}

function sampled(programs: number, checked: number): string {
  const count = programs < 2 ** 53 ? programs.toLocaleString("en") : programs.toPrecision(3);
  return `${count} programs: ${checked.toLocaleString("en")} of them checked, every choice among ` +
    "them; the others are checked when they are executed";
}
