/** The table `[export]`: a tracker is filled in while a run goes on, once, and never ends it. */
import assert from "node:assert/strict";
import { withProject } from "../cli/command_line.ts";
import { writeSmallGrid } from "./sweep_project.ts";

Deno.test("runs write the trackers that their pipeline names, each point once", async (test) => {
  await withProject([], async (project) => {
    writeSmallGrid(project);
    const plain = project.read("p.toml");
    project.write("p.toml", plain + '\n[export]\ntensorboard = "logs"\nwandb = "wandb"\n');
    assert.equal((await project.sluice("run", "p.toml", "--quiet")).code, 0);
    assert.ok(project.list("logs").includes("sluice-cursors"));
    assert.ok(project.list("wandb").some((name) => name.startsWith("offline-run-")));
    await test.step("what is there is not written again", async () => {
      const { err } = await project.sluice(
        "export",
        "last",
        "--to",
        "tensorboard",
        "--out",
        "logs",
      );
      assert.match(err, /^0 points of 1 runs are new in logs/);
    });
    await test.step("points of a sweep are called as an export of the sweep calls them", async () => {
      await project.sluice("sweep", "p.toml", "--set", "seed=11,12");
      assert.equal(
        (await project.sluice("sweep", "work", "small_grid-1", "--workers", "2")).code,
        0,
      );
      assert.deepEqual(project.list("logs/small_grid-1").toSorted(), ["0", "1"]);
      const to = ["--to", "tensorboard", "--out", "logs"];
      const { err } = await project.sluice("export", "small_grid-1", ...to);
      assert.match(err, /^0 points of 2 runs are new in logs/);
    });
    await test.step("the table is no value of a run: another folder changes no stage", async () => {
      project.edit("p.toml", '"logs"', '"elsewhere"');
      const { err } = await project.sluice("run", "p.toml");
      assert.match(err, /Nothing changed/);
    });
    await test.step("a tracker that cannot be written does not end the run", async () => {
      project.write("p.toml", plain + '\n[export]\ntensorboard = "p.toml/logs"\n');
      const { code, err } = await project.sluice("run", "p.toml", "--set", "seed=3", "--quiet");
      assert.equal(code, 0, err);
      const { err: told } = await project.sluice("run", "p.toml", "--set", "seed=4");
      assert.match(told, /\[export\] could not be written, and is tried again/);
    });
    await test.step("a folder outside of the project is refused", async () => {
      project.write("p.toml", plain + '\n[export]\ntensorboard = "../logs"\n');
      const { code, err } = await project.sluice("check", "p.toml");
      assert.equal(code, 2);
      assert.match(err, /wanted a folder within the project/);
    });
  });
});
