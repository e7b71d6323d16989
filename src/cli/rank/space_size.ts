/** How many programs a pipeline asks about, before any stage runs. */
import { inputError } from "../../base/diagnostic.ts";
import { readRegularText } from "../../base/regular_file.ts";
import type { ResolvedPipeline, ResolvedStage } from "../../pipeline/read/resolved.ts";

/** Programs up to which counting all of them is quicker than learning. */
export const fewPrograms = 10_000;

/** Programs that are scored without a word from the user. */
export const mostPrograms = 100_000;

/**
 * The number of programs of the only grammar of a pipeline; undefined where it has none or several,
 * or one that its stage will refuse.
 */
export async function countPrograms(
  pipeline: Pick<ResolvedPipeline, "stages">,
): Promise<number | undefined> {
  const spaces = pipeline.stages.filter(({ kind }) => kind === "grammar" || kind === "model_space");
  if (spaces.length !== 1) return undefined;
  const [space] = spaces;
  return space.kind === "grammar" ? await countOf(space) : await countOfSpace(pipeline, space);
}

/** Of a model space, which its data and its formula say. */
async function countOfSpace(
  pipeline: Pick<ResolvedPipeline, "stages">,
  space: ResolvedStage,
): Promise<number | undefined> {
  const { grammarOfSpace } = await import("../space_of_pipeline.ts");
  const { grammarEnvironment } = await import("../../gfn/grammar/environment.ts");
  try {
    return grammarEnvironment(await grammarOfSpace(pipeline, space)).count;
  } catch {
    return undefined; // what is wrong with it, the stages say with its place
  }
}

async function countOf({ params }: ResolvedStage): Promise<number | undefined> {
  const { parseTomlFile } = await import("../../pipeline/toml/parse.ts");
  const { readGrammar } = await import("../../gfn/grammar/read.ts");
  const { grammarEnvironment } = await import("../../gfn/grammar/environment.ts");
  const { path } = params as { readonly path: string };
  try {
    const document = parseTomlFile(readRegularText(path, 1 << 24), path);
    return grammarEnvironment(readGrammar(document, path)).count;
  } catch {
    return undefined; // what is wrong with it, the stage says with its place
  }
}

/**
 * Refuses to score every program of a space that is too large for it.
 *
 * @throws InputError with how many there are and what to do instead.
 */
export function requireCountable(
  programs: number | undefined,
  path: string,
  atMost = mostPrograms,
  isNoFile = false,
): void {
  if (programs === undefined || programs <= atMost) return;
  const many = (n: number) => n.toLocaleString("en", { maximumFractionDigits: 0 });
  const message = `Cannot rank ${path}: it has ${many(programs)} programs, at most ` +
    `${many(atMost)} are scored one by one`;
  const learnt = isNoFile
    ? "ask fewer questions at once: each [x] doubles them; or write a pipeline with sluice init, " +
      "and let a policy learn them"
    : `let a policy learn them: sluice run ${path}; or ask fewer questions at once`;
  const hint = learnt +
    (programs <= 100 * atMost ? `; or --at-most ${programs}` : "");
  throw inputError("rank/too-many", message, undefined, hint);
}

/** What `run` says before it trains where counting would do; nothing if it would not. */
export async function countableNote(pipeline: ResolvedPipeline): Promise<string | undefined> {
  const trains = pipeline.stages.some(({ loop }) => loop !== undefined);
  const hasTarget = pipeline.stages.some(({ kind }) => kind === "target");
  const programs = trains && hasTarget ? await countPrograms(pipeline) : undefined;
  if (programs === undefined || programs > fewPrograms) return undefined;
  return `${
    programs.toLocaleString("en")
  } programs: few enough to count them all, which needs no ` +
    `learning: sluice rank ${pipeline.path}`;
}
