/** The stage kinds of built-in environments that need nothing but their parameters. */
import { builtInEnvironments } from "../../src/gfn/environments/mod.ts";
import { defineStage, type StageKind } from "../../src/pipeline/contract/mod.ts";
import { port, ports } from "../ports/mod.ts";
import conjugatePrograms from "./conjugate_programs.ts";
import strings from "./strings.ts";

/** Stages that also read a file, or a data set. */
const ownStages: readonly string[] = [conjugatePrograms.kind, strings.kind];

/** By name, which is that of the environment. */
export const kinds: Readonly<Record<string, StageKind>> = Object.fromEntries(
  [...builtInEnvironments.values()]
    .filter(({ kind }) => !ownStages.includes(kind))
    .map((environment) => {
      const { kind, description, called, parameters } = environment;
      const stage = defineStage({
        kind,
        version: 1,
        description,
        params: parameters,
        inputs: {},
        outputs: { environment: port(ports.environment, called) },
        check: "run",
        run: (_context, _inputs, params) =>
          Promise.resolve({ environment: environment.fromSpec(environment.specOf(params)) }),
      });
      return [kind, stage as unknown as StageKind];
    }),
);
