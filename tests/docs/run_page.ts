/** Runs the commands of a page in their order: each ends well and prints what the page shows. */
import assert from "node:assert/strict";
import type { CommandLine } from "../cli/command_line.ts";
import { read } from "./markdown.ts";

/** A command as a page shows it, with the lines that it is said to print. */
interface Shown {
  readonly command: string;
  readonly lines: readonly string[];
}

/** Runs the console blocks of a page, and gives how many commands they have. */
export async function runPage(page: string, project: CommandLine): Promise<number> {
  const shown = shownIn(page);
  for (const { command, lines } of shown) {
    const { code, out, err } = await project.sluice(...words(command));
    assert.equal(code, 0, `${command}\n${err}`);
    for (const line of lines) {
      assert.ok(`${out}${err}`.includes(line), `${command}: ${line}\n${out}${err}`);
    }
  }
  return shown.length;
}

function shownIn(page: string): Shown[] {
  return [...read(page).matchAll(/^```console\n([\s\S]*?)^```/gm)]
    .flatMap(([, block]) => block.split(/^\$ sluice /m).slice(1))
    .map((part) => part.trimEnd().split("\n"))
    .map(([command, ...lines]) => ({ command, lines }));
}

/** Words of a command line, quoted ones whole. */
function words(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare);
}
