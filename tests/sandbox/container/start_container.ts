/**
 * Containers as they start, by podman, or by the CONTAINER_ENGINE that is named. Needs the engine and the
 * environment of `sluice doctor --install-python`; CONTAINER_RUNTIME names a runtime.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ConfinementHost } from "../../../src/sandbox/confinement.ts";
import { containerEngines, defaultContainerPython } from "../../../src/sandbox/container/engine.ts";
import { containerProgram, ContainerPython } from "../../../src/sandbox/container_python.ts";
import { defaultPythonLimits } from "../../../src/sandbox/python_program.ts";
import { runProgram } from "../../../src/sandbox/run_program.ts";
import { requireHost } from "../../../src/sandbox/run_python.ts";
import { withProject } from "../../cli/command_line.ts";
import { readCatalogue } from "../catalogue.ts";
import { HostFixture } from "../host_fixture.ts";
import { runAttackBy } from "../run_attack.ts";

const name = "sluice-test";
const runtime = Deno.env.get("CONTAINER_RUNTIME");
const engine = containerEngines.find((one) => one === Deno.env.get("CONTAINER_ENGINE")) ?? "podman";
const home = fileURLToPath(new URL("../../..", import.meta.url));

function call(command: string, ...args: string[]): string {
  const { code, stdout, stderr } = new Deno.Command(command, { args, cwd: home }).outputSync();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trim();
}

/** The image of the tests, made where it is missing; it has patsy beside PyMC. */
function imageOfTests(): string {
  const known = call(engine, "images", "--quiet", "--no-trunc", name);
  if (known) return known.split("\n")[0];
  const python = join(home, ".sluice/python/bin/python");
  assert(existsSync(python), "run: deno task sluice doctor --install-python");
  const extra = Deno.makeTempDirSync();
  const only = ["--quiet", "--no-deps", "--target", extra, "patsy==1.0.1"];
  call(python, "-m", "pip", "install", ...only);
  const made = call("tests/sandbox/container/image.sh", engine, python, name, extra);
  return made.split("\n").at(-1)!;
}

const image = imageOfTests();
const containers = () => call(engine, "ps", "--quiet", "--no-trunc");

function script(text: string): string {
  const path = Deno.makeTempFileSync({ suffix: ".py" });
  Deno.writeTextFileSync(path, text);
  Deno.chmodSync(path, 0o644);
  return path;
}

async function run(text: string, limits = {}, signal?: AbortSignal) {
  const path = script(text);
  const ran = await new ContainerPython({ image, engine, runtime }).run({
    script: path,
    limits,
    signal,
  });
  Deno.removeSync(path);
  return { ...ran, out: new TextDecoder().decode(ran.stdout) };
}

Deno.test("a container reaches L3, and has its own interpreter, user and folder", async () => {
  assert.equal(await new ContainerPython({ image, engine, runtime }).level(), "L3");
  const text = "import os, sys, patsy\nopen('/tmp/x', 'w').write('1')\n" +
    "print(os.getuid() >= 30000, os.getppid(), sys.executable)";
  const { status, out, attestation } = await run(text);
  assert.deepEqual([status, out], ["ok", `True 1 ${defaultContainerPython}\n`]);
  assert.match(attestation, /^[0-9a-f]{64}$/);
});

Deno.test("limits end a program, and no container is left", async () => {
  const spin = await run("while True: pass", { cpuSeconds: 1 });
  assert.equal(spin.status, "timeout_cpu");
  const asleep = await run("import time; time.sleep(60)", { wallMs: 2000 });
  assert.equal(asleep.status, "timeout_wall");
  const large = await run("x = bytearray(600 << 20); print(len(x))", { dataBytes: 256 << 20 });
  assert.deepEqual([large.status, large.out], ["error", ""]);
  const loud = await run("while True: print('x' * 1000)");
  assert.equal(loud.status, "output_limit");
  const stop = AbortSignal.timeout(1500);
  await assert.rejects(run("import time; time.sleep(60)", {}, stop));
  assert.equal(containers(), "");
});

Deno.test("a container ends with its supervisor, killed without a word", async () => {
  const path = script("import time; time.sleep(100)");
  const main = fileURLToPath(new URL("./supervisor_main.ts", import.meta.url));
  const args = ["run", "-A", main, engine, image, path, ...(runtime ? [runtime] : [])];
  const child = new Deno.Command(Deno.execPath(), { args, stdout: "null", stderr: "null" }).spawn();
  await until(() => containers() !== "");
  child.kill("SIGKILL");
  await child.status;
  await until(() => containers() === "");
});

async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 150 && !holds(); i++) await new Promise((done) => setTimeout(done, 200));
  assert(holds());
}

/** This machine's host, with arguments of the engine changed as a careless wrapper would. */
async function weakened(changed: (args: readonly string[]) => readonly string[]) {
  const environment = { PATH: Deno.env.get("PATH")!, HOME: Deno.env.get("HOME")! };
  const file = call("which", engine);
  const container = { engine, file, image, runtime, environment, changed } as const;
  const host: ConfinementHost = { ...await requireHost(), asRoot: false, container };
  const python = defaultContainerPython;
  const program = containerProgram(python, ["-c", "print(1)"], [], defaultPythonLimits);
  return await runProgram(program, "L3", host);
}

const without = (...gone: string[]) => (args: readonly string[]) =>
  args.filter((one) => !gone.includes(one));

Deno.test("an engine that gives a network, a root to write to, or the host's processes is refused", async () => {
  assert.equal((await weakened((args) => args)).status, "ok");
  const network = weakened((args) =>
    args.map((one, i) => args[i - 1] === "--network" ? "host" : one)
  );
  await assert.rejects(network, /attestation: network/);
  await assert.rejects(weakened(without("--read-only")), /attestation: write/);
  const processes = weakened((args) => ["run", "--pid", "host", ...args.slice(1)]);
  await assert.rejects(processes, /attestation: parent/);
});

Deno.test("every attack in Python is stopped in a container", async () => {
  const attacks = readCatalogue().filter(({ language }) => language === "python");
  assert(attacks.length >= 140);
  const waiting = [...attacks];
  const open: string[] = [];
  const limits = { wallMs: 20_000, cpuSeconds: 1, dataBytes: 512 << 20, scratchBytes: 16 << 20 };
  const environment = { PATH: Deno.env.get("PATH")!, HOME: Deno.env.get("HOME")! };
  const container = {
    engine,
    file: call("which", engine),
    image,
    runtime,
    environment,
  } as const;
  const own: ConfinementHost = { ...await requireHost(), asRoot: false, container };
  const lane = async () => {
    const host = await HostFixture.open();
    for (let attack = waiting.shift(); attack; attack = waiting.shift()) {
      const { open: effect, said } = await runAttackBy(attack, host, (path, args) => {
        const file = { path, inside: "/program.py", kind: "file", access: "read" } as const;
        const all = ["/program.py", ...args];
        return runProgram(containerProgram(defaultContainerPython, all, [file], limits), "L3", own);
      });
      if (effect) open.push(`${attack.id} ${attack.title}: ${said}`);
    }
    await host.close();
  };
  await Promise.all([lane(), lane()]);
  assert.deepEqual(open, []);
});

const examples = ["container.toml", "spline.py", "curve.py"].map((name) => `docs/examples/${name}`);

Deno.test("the pipeline of docs/containers.md scores a program that imports patsy", () =>
  withProject([...examples, "data/dugongs.csv"], async (project) => {
    const target = "stages.target.executor";
    const ran = await project.sluice(
      ...["run", "docs/examples/container.toml", "--set", `${target}.image=${image}`],
      ...["--set", `${target}.engine=${engine}`, "--allow-stage", `target=image:${image}`],
      ...(runtime ? ["--set", `${target}.runtime=${runtime}`] : []),
    );
    assert.equal(ran.code, 0, ran.err);
    const levels = "select distinct status, sandbox_level from execution";
    assert.match((await project.sluice("query", levels)).out, /ok +L3/);
    assert.match(ran.out, /spline\.py/);
  }));
