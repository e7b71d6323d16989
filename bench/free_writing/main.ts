/** `deno task bench free_writing [language] [--set …]`: SmolLM2's texts without a grammar's mask. */
import { fileURLToPath } from "node:url";

const home = fileURLToPath(new URL("../../", import.meta.url));
const folder = "bench/free_writing";

const measures = `select stage, measure, value, mcse, n, method from evaluation
  where stage in ('before', 'after') or (stage = 'evaluate' and measure in ('verdict', 'tv_lower'))
  order by 1, 2`;

/**
 * Runs the pipeline, under the mask of the language if asked, and prints what its answers came to.
 *
 * @param args `language`, and what else `sluice run` is to be told.
 */
export async function benchFreeWriting(args: readonly string[]): Promise<void> {
  const [first, ...rest] = args;
  const overlay = first === "language" ? [`@${folder}/language.toml`] : [];
  const words = first === "language" ? rest : args;
  await sluice(["run", `${folder}/free_writing.toml`, ...overlay, "--quiet", ...words]);
  await sluice([
    "query",
    "--run",
    "last",
    Deno.readTextFileSync(`${home}${folder}/free_writing.sql`),
  ]);
  await sluice(["query", "--run", "last", measures]);
}

async function sluice(words: readonly string[]): Promise<void> {
  const args = ["task", "--quiet", "sluice", ...words];
  const command = new Deno.Command(Deno.execPath(), { args, cwd: home });
  const { code } = await command.spawn().status;
  if (code !== 0) throw new Error(`sluice ${words[0]} ended with status ${code}`);
}
