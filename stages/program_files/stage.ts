/** Runs the stage kind `program_files`: a grammar of one choice, a file. */
import { basename } from "node:path";
import { inputError } from "../../src/base/diagnostic.ts";
import { readRegularText } from "../../src/base/regular_file.ts";
import type { Environment } from "../../src/gfn/environments/mod.ts";
import type { GrammarSpec } from "../../src/gfn/grammar/mod.ts";
import { defineStage } from "../../src/pipeline/contract/mod.ts";
import { filesSpace } from "./files_space.ts";
import declaration from "./mod.ts";

/** Bytes of a file that is no program, whatever is in it. */
const mostBytes = 1 << 20;

export default defineStage({
  ...declaration,
  check: "run",
  async run(context, _inputs, { paths }) {
    const { grammarEnvironment } = await import("../../src/gfn/grammar/mod.ts");
    const programs = paths.map((path) => ({ path, text: readRegularText(path, mostBytes) }));
    const environment: Environment = grammarEnvironment(grammarOfFiles(programs));
    context.log(`${programs.length} programs`);
    return { environment };
  },
});

/** A program and where it stands. */
interface ProgramFile {
  readonly path: string;
  readonly text: string;
}

/**
 * A grammar whose derivations are these files. Each is named by its file, or by its path where two
 * files have one name.
 *
 * @throws InputError `programs/twice` if two files hold the same text.
 */
export function grammarOfFiles(files: readonly ProgramFile[]): GrammarSpec {
  const names = files.map(({ path }) => basename(path));
  const texts = files.map(({ text }) => text.replaceAll("\r\n", "\n").trimEnd());
  texts.forEach((text, i) => {
    const first = texts.indexOf(text);
    if (first < i) throw sameText(files[i].path, files[first].path);
  });
  const productions = files.map(({ path }, i) => ({
    name: names.filter((one) => one === names[i]).length > 1 ? path : names[i],
    weight: 1,
    text: texts[i].replaceAll(/[{}]/g, "$&$&"),
    requires: [],
    requiresAny: [],
    excludes: [],
  }));
  return {
    format: 1,
    name: filesSpace,
    template: "{program}",
    exit: 1,
    holes: [{ name: "program", type: "statements", productions }],
    clauses: [],
  };
}

function sameText(path: string, first: string): Error {
  const message = `Cannot use ${path}: ${first} is the same program`;
  return inputError("programs/twice", message, undefined, "name each program once");
}
