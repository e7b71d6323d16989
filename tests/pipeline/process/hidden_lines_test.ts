/** Messages show no line of a file outside the project that a stranger's pipeline uses or is a link to. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { InputError, renderDiagnostics } from "../../../src/base/diagnostic.ts";
import { readPipeline } from "../../../src/pipeline/process/read_pipeline.ts";
import { temporaryFolder } from "../../temporary_folder.ts";

const secret = "s3cret: key:of the user\n";

/** Messages of a pipeline's faults. */
async function said(path: string, overlays: readonly string[] = []): Promise<string> {
  try {
    await readPipeline({ path, overlays });
  } catch (error) {
    assert(error instanceof InputError);
    return renderDiagnostics(error.diagnostics, error.sources!);
  }
  return "nothing";
}

Deno.test("a file outside is named with its fault, and no line of it is shown", async () => {
  const [project, elsewhere] = [temporaryFolder(), temporaryFolder()];
  const write = (name: string, text: string) => Deno.writeTextFileSync(join(project, name), text);
  const key = join(elsewhere, "key");
  Deno.writeTextFileSync(key, secret);
  Deno.writeTextFileSync(join(project, "deno.json"), "{}");
  Deno.symlinkSync(key, join(project, "link.toml"));
  write("uses.toml", `use = ${JSON.stringify(key)}\n`);
  write("uses_link.toml", 'use = "./link.toml"\n');
  write("plain.toml", "format = 1\n");
  const asked = [
    await said(join(project, "uses.toml")),
    await said(join(project, "uses_link.toml")),
    await said(join(project, "link.toml")),
    await said(join(project, "plain.toml"), [join(project, "link.toml")]),
  ];
  for (const one of asked) {
    assert.match(one, /:1:7: Cannot read this as TOML/);
    assert.doesNotMatch(one, /s3cret/);
  }
});

Deno.test("a file that the user names, and one inside the project, are shown", async () => {
  const project = temporaryFolder();
  Deno.writeTextFileSync(join(project, "deno.json"), "{}");
  Deno.writeTextFileSync(join(project, "own.toml"), secret);
  Deno.writeTextFileSync(join(project, "uses.toml"), 'use = "own.toml"\n');
  for (const name of ["own.toml", "uses.toml"]) {
    assert.match(await said(join(project, name)), /1 \| s3cret/);
  }
});
