/** The pipeline that asks a formula of a data file, as text. */
import { inputError } from "../base/diagnostic.ts";
import { pseudoBma } from "./pseudo_bma.ts";
import { nearest } from "../base/nearest.ts";
import { dataStageToml, type InspectedColumn } from "../data/inspect.ts";
import { type FamilyName, familyNames } from "../gfn/spaces/regression/family_names.ts";
import { parseFormula } from "../gfn/spaces/formula/parse.ts";
import { proposedSpace } from "../gfn/spaces/proposed.ts";

/** What a pipeline is written from. */
export interface SpaceRequest {
  readonly name: string;
  /** Of the data, seen from the pipeline. */
  readonly path: string;
  readonly columns: readonly InspectedColumn[];
  readonly formula?: string;
  readonly families?: readonly string[];
}

/** A pipeline and what it asks. */
export interface SpacePipeline {
  readonly toml: string;
  readonly formula: string;
  readonly families: readonly FamilyName[];
  /** Columns that could be asked about, and are not. */
  readonly leftOut: readonly string[];
}

/**
 * A pipeline of data, model space, target and ranking.
 *
 * @throws InputError if the response cannot be explained, the formula cannot be read, or there is no
 * family of a name.
 */
export function spacePipeline(request: SpaceRequest): SpacePipeline {
  const { name, path, columns } = request;
  checkResponse(columns);
  const proposed = proposedSpace(columns);
  const formula = request.formula === undefined
    ? proposed.formula
    : parseFormula(request.formula).source;
  const families = request.families?.map(familyNamed) ?? proposed.families;
  const leftOut = request.formula === undefined ? proposed.leftOut : [];
  const toml = `# Which terms and which noise explain ${name}? Written by sluice init.
format = 1
name = ${JSON.stringify(name)}
seed = 1

${dataStageToml(path, columns)}

# [x] may be left out, [x | poly(x, 2)] is one of them; x:z, (1 | group), offset(log(x)).
[stages.programs]
kind = "model_space"
inputs = { data = "data" }
formula = ${JSON.stringify(formula)}
families = ${JSON.stringify(families)}

[stages.target]
kind = "target"
inputs = { environment = "programs", data = "data" }
${pseudoBma}

[stages.rank]
kind = "rank"
inputs = { target = "target" }
`;
  return { toml, formula, families, leftOut };
}

/** How to go on from a pipeline that was written. */
export function spaceReadme(
  name: string,
  pipeline: string,
  { formula, families }: SpacePipeline,
): string {
  return `# ${name}

\`${formula}\`, with ${families.join(", ")}: what stands in brackets is in question.

    sluice run ${pipeline}                     # score every program, and answer
    sluice report last                         # the answer again
    sluice programs last --top 3 --out best    # the best programs, as PyMC that runs by itself
    sluice query --run last "select idx, log_reward, answers from candidate order by 2 desc limit 10"

Change the formula, the families or the priors of answers in the pipeline, and run it again: what
was scored before is not scored again.
`;
}

function checkResponse(columns: readonly InspectedColumn[]): void {
  const { name, type, remark, range, distinct } = columns.find(({ role }) => role === "response")!;
  const cannot = `Cannot explain "${name}"`;
  if (type === "category") {
    const hint = "make it 0 and 1, one level against the others";
    throw inputError("init/response", `${cannot}: it is a category`, undefined, hint);
  }
  if (range === undefined) {
    const hint = "correct these cells, or leave them empty";
    throw inputError("init/response", `${cannot}: ${remark}`, undefined, hint);
  }
  if (distinct > 1) return;
  const message = `${cannot}: every value is ${range[0]}`;
  throw inputError("init/response", message, undefined, "there is nothing to explain");
}

function familyNamed(name: string): FamilyName {
  const found = familyNames.find((one) => one === name);
  if (found) return found;
  const meant = nearest(name, familyNames);
  const hint = `${meant ? `did you mean ${meant}? ` : ""}known: ${familyNames.join(", ")}`;
  throw inputError("families/unknown", `There is no family "${name}"`, undefined, hint);
}
