/** Tests of files and links that the command line refuses to read, in a project of its own. */
import assert from "node:assert/strict";
import { type CommandLine, withProject } from "./command_line.ts";

const pipeline = `format = 1
name = "small"

[stages.data]
kind = "dataset"
path = "data.csv"
columns = { y = { role = "response" } }
`;

async function withData(use: (project: CommandLine) => Promise<void>): Promise<void> {
  await withProject([], async (project) => {
    project.write("small.toml", pipeline);
    await use(project);
  });
}

for (const [made, what] of [["mkfifo data.csv", "a pipe"], ["ln -s /dev/zero data.csv", ""]]) {
  Deno.test(`a data file that never ends is refused before it is opened: ${made}`, async () => {
    await withData(async (project) => {
      await new Deno.Command("sh", { args: ["-c", made], cwd: project.root }).output();
      const { code, err } = await project.sluice("run", "small.toml");
      assert.equal(code, 2, err);
      assert.match(err, what === "" ? /a symbolic link leads out of the project/ : /it is a pipe/);
    });
  });
}

Deno.test("a link that leaves the project is followed once the user has said so", async () => {
  await withProject([], async (other) => {
    other.write("shared.csv", "y\n1\n2\n");
    await withData(async (project) => {
      Deno.symlinkSync(other.path("shared.csv"), project.path("data.csv"));
      const refused = await project.sluice("run", "small.toml");
      assert.equal(refused.code, 2);
      assert.match(refused.err, /mend: if that is meant: sluice trust add/);
      const { code, out } = await project.sluice("trust", "add", other.root);
      assert.equal(code, 0);
      assert.match(out, /^your key {2}[0-9a-f]{64}\ntrusted folder {2}/);
      assert.equal((await project.sluice("run", "small.toml")).code, 0);
      assert.equal((await project.sluice("trust", "rm", other.root)).code, 0);
      assert.equal((await project.sluice("run", "small.toml")).code, 2);
    });
  });
});

Deno.test("runs is no link out of the project", async () => {
  await withProject([], async (other) => {
    await withData(async (project) => {
      project.write("data.csv", "y\n1\n2\n");
      Deno.symlinkSync(other.root, project.path("runs"));
      const { code, err } = await project.sluice("run", "small.toml");
      assert.equal(code, 2);
      assert.match(err, /Cannot use runs: a symbolic link leads out of the project/);
      assert.deepEqual(other.list(), ["deno.json"]);
    });
  });
});

Deno.test("a file above the limit is refused, and the flag raises the limit", async () => {
  await withData(async (project) => {
    project.write("data.csv", "y\n1\n2\n");
    const small = await project.sluice("run", "small.toml", "--max-file-size", "4");
    assert.equal(small.code, 2);
    assert.match(small.err, /data\.csv: it has 6 bytes, more than the limit of 4 bytes/);
    assert.equal((await project.sluice("run", "small.toml", "--max-file-size", "1KiB")).code, 0);
  });
});
