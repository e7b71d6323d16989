/** The tutorial about one's own data, run as it stands: its outputs are those that it prints. */
import assert from "node:assert/strict";
import { withProject } from "../cli/command_line.ts";
import { read } from "./markdown.ts";
import { runPage } from "./run_page.ts";

Deno.test("the page about one's own data runs from its first command to its last", async () => {
  await withProject(
    ["data/penguins.csv", "data/peregrines_french_jura_real.csv", "data/beetles_bliss.csv"],
    async (project) => {
      assert.ok(await runPage("docs/your_own_data.md", project) >= 7);
      assert.match(project.read("mine/best/program-01.py"), /pm\.Normal\(/);
      assert.equal(project.read("mine/report/effects.svg"), read("docs/penguins_effects.svg"));
      const curves = project.read("mine/curves/curves_of_models.svg");
      assert.equal(curves, read("docs/peregrines_curves.svg"));
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
