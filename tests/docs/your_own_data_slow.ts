/** The tutorial about one's own data, run as it stands: what it shows is what is said. */
import assert from "node:assert/strict";
import { withProject } from "../cli/command_line.ts";
import { read } from "./markdown.ts";

/** Commands in the order of the page, each with the lines that it is said to print. */
const shown = [...read("docs/your_own_data.md").matchAll(/^```console\n([\s\S]*?)^```/gm)]
  .flatMap(([, block]) => block.split(/^\$ sluice /m).slice(1))
  .map((part) => part.trimEnd().split("\n"))
  .map(([command, ...lines]) => ({ command, lines }));

/** Words of a command line, quoted ones whole. */
function words(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare);
}

Deno.test("the page about one's own data runs from its first command to its last", async () => {
  assert.ok(shown.length >= 6);
  await withProject(
    ["data/penguins.csv", "data/peregrines_french_jura_real.csv"],
    async (project) => {
      for (const { command, lines } of shown) {
        const { code, out, err } = await project.sluice(...words(command));
        assert.equal(code, 0, `${command}\n${err}`);
        for (const line of lines) assert.ok(`${out}${err}`.includes(line), `${command}: ${line}`);
      }
      assert.match(project.read("mine/best/program-01.py"), /pm\.Normal\(/);
      assert.match(project.read("mine/penguins.toml"), /resolution = 25/);
      await wrongColumn(project);
    },
  );
});

/** As the page shows it. */
async function wrongColumn(project: Parameters<Parameters<typeof withProject>[1]>[0]) {
  project.edit("mine/penguins.toml", "[species]", "[speceis]");
  const { code, err } = await project.sluice("check", "mine/penguins.toml");
  assert.equal(code, 2);
  const [, message] = /^```text\n(.*)\n/m.exec(read("docs/your_own_data.md"))!;
  assert.equal(err.split("\n")[0], message);
}
