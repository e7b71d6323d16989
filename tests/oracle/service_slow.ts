/** Services of a run: a command that is started for an oracle, its faults, and its end with a runner that is killed. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { type CommandLine, withProject } from "../cli/command_line.ts";
import { addTiny, servedPipeline } from "./served_pipeline.ts";

const port = 8247;

/** A service that a run starts, which answers those alone that have its token. */
const service = (command: readonly string[], wait = 60) =>
  servedPipeline(
    `oracle = { kind = "server", model = "small", tokenizer = "tiny", retries = 1, pause = 0.01 }
inputs = { service = "stub" }
[stages.stub]
kind = "service"
command = ${JSON.stringify(command)}
url = "http://127.0.0.1:${port}"
wait = ${wait}`,
  );

const stub = fileURLToPath(new URL("stub_service.ts", import.meta.url));
const command = (...more: readonly string[]) => [
  ...[Deno.execPath(), "run", "-A", "--no-check", "--no-config", stub, "{port}", "{token}"],
  ...more,
];

async function isServed(): Promise<boolean> {
  return await fetch(`http://127.0.0.1:${port}/health`).then(
    async (response) => (await response.body?.cancel(), true),
    () => false,
  );
}

Deno.test("a service is started for the oracle on it, and stopped with its run, killed or not", async () => {
  await withProject([], async (project) => {
    await addTiny(project);
    project.write("service.toml", service(command("400")));
    const before = await project.sluice("run", "service.toml");
    assert.match(
      before.err,
      /asks for run .*\{token\}' 400, net 127\.0\.0\.1:8247, outside the project/,
    );
    const allow = ["--allow-stage", "stub=net:*,run:*"];
    const { code, err } = await project.sluice("run", "service.toml", ...allow);
    assert.equal(code, 0, err);
    assert.ok((await project.query("select * from oracle_call")).length >= 3);
    assert.ok(!await isServed());
    const [run] = project.list("runs").filter((name) => !name.startsWith("."));
    assert.match(project.read(`runs/${run}/logs/service-${port}.log`), /serving on 8247/);
    await faults(project, allow);
    await killed(project);
  });
});

async function faults(project: CommandLine, allow: readonly string[]): Promise<void> {
  const ends = async (text: string, message: RegExp) => {
    project.write("service.toml", text);
    const { code, err } = await project.sluice("run", "service.toml", ...allow);
    assert.match(err, message);
    assert.equal(code, 3);
    assert.ok(!await isServed());
  };
  await ends(
    service(["/bin/sh", "-c", "echo no such weights; exit 4"]),
    /status 4\): no such weights/,
  );
  await ends(service(["sluice-no-such-program"]), /it cannot be started/);
  await ends(service(command("60000"), 1), /not ready after 1 s \(status 503\): serving on 8247/);
  const other = Deno.listen({ port, hostname: "127.0.0.1" });
  project.write("service.toml", service(command(), 5));
  assert.match((await project.sluice("run", "service.toml", ...allow)).err, /port 8247 is in use/);
  other.close();
}

/** The runner is killed without warning; the server that it started ends by itself. */
async function killed(project: CommandLine): Promise<void> {
  project.write("service.toml", service(command("5000"), 30));
  const child = project.start(["run", "service.toml", "--allow-stage", "stub=net:*,run:*"]);
  const until = performance.now() + 60_000;
  while (!await isServed() && performance.now() < until) await wait(100);
  child.kill("SIGKILL");
  await child.output();
  while (await isServed() && performance.now() < until) await wait(100);
  assert.ok(!await isServed());
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
