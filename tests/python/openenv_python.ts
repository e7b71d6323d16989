/** Tests that the client of `openenv-core` (0.3.0) plays an episode of a served experiment. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** A Python in which `openenv-core` is installed. */
const python = Deno.env.get("SLUICE_OPENENV_PYTHON") ?? "python3";

const client = `
import sys
from openenv.core.generic_client import GenericEnvClient
program = '''import pymc as pm
with pm.Model() as model:
    a = pm.Normal("a", 2, 0.2)
    b = pm.Normal("b", 1.5, 0.5)
    rate = pm.Beta("rate", 2, 2)
    pm.Normal("length", a - b * rate ** data["age"], 0.25, observed=data["length"])
'''
def refused(action):
    try:
        env.step(action)
    except Exception as error:
        return str(error)
    raise SystemExit(f"{action} was not refused")
with GenericEnvClient(base_url=sys.argv[1]).sync() as env:
    assert "send reset first" in refused({"query": {"age": 1}})
    assert env.reset(seed=3).observation["left"] == 3
    assert "without unit" in env.step({"query": {"age": "3 years"}}).observation["reason"]
    for age in (0.5, 2, 4):
        found = env.step({"query": {"age": age}})
    assert len(found.observation["questions"]) == 10 and not found.done
    assert env.state()["step_count"] == 4
    assert "list of 10 numbers" in refused({"answer": [1]})
    found = env.step({"submit": program})
    assert found.done and found.observation["status"] == "ok"
    assert abs(found.reward - found.observation["log_score"]) < 1e-12
    assert found.reward < found.observation["oracle_log_score"] + 3 * found.observation["mcse"]
    assert "over" in refused({"query": {"age": 1}})
print("played")
`;

Deno.test("the client of openenv-core plays an episode, and is told what it does wrong", async () => {
  const served = new Deno.Command("deno", {
    args: ["task", "--quiet", "sluice", "serve", "experiments/dugongs.toml", "--budget", "3"],
    cwd: root,
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = served.stdout.getReader();
  try {
    const url = new TextDecoder().decode((await reader.read()).value).trim();
    const { stdout, stderr } = await new Deno.Command(python, { args: ["-c", client, url] })
      .output();
    assert.equal(
      new TextDecoder().decode(stdout).trim(),
      "played",
      new TextDecoder().decode(stderr),
    );
    const other = url.replace(/[^/]+$/, "other");
    const found = await fetch(`${other}/health`);
    assert.equal(found.status, 404);
    await found.body?.cancel();
  } finally {
    served.kill("SIGTERM");
    await served.status;
    await reader.cancel();
  }
});
