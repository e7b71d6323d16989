/** How many programs a pipeline asks about, before any stage runs. */
import { inputError } from "../../base/diagnostic.ts";
import { readRegularText } from "../../base/regular_file.ts";
import type { GrammarSpec } from "../../gfn/grammar/mod.ts";
import type { ResolvedPipeline, ResolvedStage } from "../../pipeline/read/mod.ts";
import { commandLine } from "../../base/command_name.ts";

/** Programs up to which counting all of them is quicker than learning. */
export const fewPrograms = 10_000;

/** Programs that are scored without a word from the user. */
export const mostPrograms = 100_000;

/** Bytes of a grammar that are read only to count programs. */
const mostBytes = 1 << 24;

type Counted = Pick<ResolvedPipeline, "stages" | "absolutePath">;

/**
 * The number of programs of the only grammar or model space of a pipeline; undefined where it has
 * none or several, texts that are free, one that its stage will refuse, or one whose data stand outside of the project:
 * they are not read before the user says yes.
 */
export async function countPrograms(pipeline: Counted): Promise<number | undefined> {
  const spaces = pipeline.stages.filter(({ kind }) => kind === "grammar" || kind === "model_space");
  if (spaces.length !== 1 || pipeline.stages.some(writesFreely)) return undefined;
  const [space] = spaces;
  try {
    const { grammarEnvironment } = await import("../../gfn/grammar/mod.ts");
    const { glanceAtSpace } = await import("../space_of_pipeline.ts");
    const read = space.kind === "grammar" ? grammarOf(space) : glanceAtSpace(pipeline, space);
    return grammarEnvironment(await read).count;
  } catch {
    return undefined; // the stage reports its fault with its place
  }
}

/** Whether texts of a stage are held to no list: a grammar that it names does not bound them. */
function writesFreely({ kind, params }: ResolvedStage): boolean {
  if (kind !== "tokens") return false;
  const { mask } = params as { readonly mask?: string };
  return mask !== undefined && mask !== "trie";
}

async function grammarOf({ params }: ResolvedStage): Promise<GrammarSpec> {
  const { parseTomlFile } = await import("../../pipeline/toml/mod.ts");
  const { readGrammar } = await import("../../gfn/grammar/mod.ts");
  const { path } = params as { readonly path: string };
  return readGrammar(parseTomlFile(readRegularText(path, mostBytes), path), path);
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

/**
 * The note of `run` on a space that is enumerated, or could be where it would train.
 *
 * @param words words after `run` on the command line: the pipeline, its overlays and values.
 */
export async function countableNote(
  pipeline: ResolvedPipeline,
  words: readonly string[] = [pipeline.path],
): Promise<string | undefined> {
  const trains = pipeline.stages.some(({ loop }) => loop !== undefined);
  const has = (wanted: string) => pipeline.stages.some(({ kind }) => kind === wanted);
  const isAsked = has("target") && (trains || has("rank"));
  const programs = isAsked ? await countPrograms(pipeline) : undefined;
  if (programs === undefined || programs > fewPrograms) return undefined;
  if (!trains) return `${programs.toLocaleString("en")} programs: counted, nothing to learn`;
  return `${programs.toLocaleString("en")} programs are few enough to count without learning: ${
    commandLine("rank", ...words)
  }`;
}
