/** A sweep as jobs of Ray. Needs RAY, the path of `ray`; `pip install "ray[default]"` has one. */
import assert from "node:assert/strict";
import { withProject } from "../../cli/command_line.ts";
import { pointsOf, rate, writeSmallGrid } from "../sweep_project.ts";
import { sluiceOnNodes } from "./calls.ts";

const address = "http://127.0.0.1:8265";

async function ray(args: readonly string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.env.get("RAY") ?? "ray", {
    args: [...args],
    env: { RAY_ADDRESS: address, RAY_USAGE_STATS_ENABLED: "0", ...env },
  }).output();
  const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assert.equal(code, 0, text);
  return text;
}

Deno.test("two jobs of Ray take the points of a sweep, each once", async () => {
  await withProject([], async (project) => {
    writeSmallGrid(project, 8);
    await project.sluice("sweep", "p.toml", "--set", `${rate}=0.01,0.03`, "--set", "seed=0,1");
    await ray(["start", "--head", "--num-cpus", "2", "--dashboard-host", "127.0.0.1"]);
    try {
      const work = `cd '${project.root}' && XDG_CONFIG_HOME='${project.path(".config")}' ` +
        `${sluiceOnNodes} sweep work small_grid-1 --wait`;
      const submit = () => ray(["job", "submit", "--", "bash", "-c", work]);
      const jobs = await Promise.all([submit(), submit()]);
      assert.ok(jobs.every((said) => said.includes("succeeded")), jobs.join("\n"));
    } finally {
      await ray(["stop"]);
    }
    const points = await pointsOf(project, "small_grid-1");
    assert.deepEqual(points.map(({ state }) => state), Array(4).fill("done"));
    assert.equal(project.list("runs").length, 4);
  });
});
