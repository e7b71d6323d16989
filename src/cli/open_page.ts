/** Shows a page in the user's browser. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { denoPath } from "../base/deno_command.ts";
import { MissingPartError } from "../base/diagnostic.ts";

/** Program that opens a page, by system. */
const openers: Readonly<Record<string, string>> = { darwin: "open", windows: "explorer" };

/**
 * Opens a file. Sluice itself may start nothing but Deno: a process of its own is given the right to start
 * the one program that opens pages.
 *
 * @throws MissingPartError if there is no such program, or it fails.
 */
export async function openPage(path: string): Promise<void> {
  const opener = openers[Deno.build.os] ?? "xdg-open";
  const url = pathToFileURL(resolve(path)).href;
  const command = `${JSON.stringify(opener)}, { args: [${JSON.stringify(url)}] }`;
  const code = `const { success } = await new Deno.Command(${command}).output();` +
    "Deno.exit(success ? 0 : 1)";
  const args = ["run", "--quiet", "--no-prompt", "--no-config", `--allow-run=${opener}`];
  const child = new Deno.Command(denoPath(), {
    args: [...args, `data:application/javascript,${encodeURIComponent(code)}`],
    stdout: "null",
    stderr: "null",
  });
  const { success } = await child.output();
  if (success || Deno.build.os === "windows") return; // explorer exits with 1 when it has opened a page
  const remedy = `open it yourself: ${url}`;
  throw new MissingPartError(`Cannot show the page: ${opener} does not open it`, remedy);
}
