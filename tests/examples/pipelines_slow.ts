/** Pipelines of the examples: they learn, and their checks hold. */
import assert from "node:assert/strict";

const root = new URL("../../", import.meta.url).pathname;

for (const example of ["arc", "patch"]) {
  Deno.test(`examples/${example} learns its target`, async () => {
    const project = await Deno.makeTempDir({ prefix: "sluice-example-" });
    await Deno.writeTextFile(`${project}/deno.json`, "{}");
    for (const folder of [example, `${example}/puzzles`]) await copy(folder, project);
    const main = `${root}src/cli/main.ts`;
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", main, "run", `${project}/${example}/pipeline.toml`],
      cwd: project,
    }).output();
    const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    assert.equal(code, 0, said);
    assert.match(said, /KL\(target‖policy\) of at most 0\.05 nats/);
    await Deno.remove(project, { recursive: true });
  });
}

/** Copies the files of a folder of examples; there need be none. */
async function copy(folder: string, project: string): Promise<void> {
  await Deno.mkdir(`${project}/${folder}`, { recursive: true });
  try {
    for (const { name, isFile } of Deno.readDirSync(`${root}examples/${folder}`)) {
      const path = `${folder}/${name}`;
      if (isFile) await Deno.copyFile(`${root}examples/${path}`, `${project}/${path}`);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
