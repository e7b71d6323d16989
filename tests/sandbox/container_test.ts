/** Containers: the arguments of each engine, names of images, and what is refused before a start. */
import assert from "node:assert/strict";
import { dirname } from "node:path";
import {
  containerArguments,
  type ContainerPlan,
  imageName,
  trustedPath,
} from "../../src/sandbox/container/engine.ts";
import { ContainerPython } from "../../src/sandbox/container_python.ts";
import { sha256 } from "../../src/base/digest.ts";
import { probesAt } from "../../src/sandbox/attestation.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { sandboxTest } from "./needs.ts";

const digest = "ab".repeat(32);
const image = `sha256:${digest}`;

const plan: ContainerPlan = {
  ...{ engine: "podman", image, uid: 30_001, scratchBytes: 1 << 20, memoryBytes: 1 << 30 },
  processes: 33,
  files: [{ path: "/sluice/launch", inside: "/launch" }],
};

/** Whether arguments have these words side by side. */
function has(args: readonly string[], ...words: string[]): boolean {
  return args.some((_, i) => words.every((word, k) => args[i + k] === word));
}

for (const engine of ["podman", "docker"] as const) {
  Deno.test(`${engine} is asked for no network, no writing, no privilege, limits, and nothing pulled`, () => {
    const args = containerArguments({ ...plan, engine, runtime: "runc" });
    const wanted = [
      ["--network", "none"],
      ["--read-only"],
      ["--cap-drop", "all"],
      ["--security-opt", "no-new-privileges"],
      ["--user", "30001:30001"],
      ["--memory", `${1 << 30}`],
      ["--pids-limit", "33"],
      ["--pull", "never"],
      ["--runtime", "runc"],
      ["--volume", "/sluice/launch:/launch:ro"],
      ["--entrypoint", "/launch", image],
    ];
    assert.deepEqual(wanted.filter((words) => !has(args, ...words)), []);
    assert(!args.includes("--privileged"));
    assert.equal(args.at(-1), image);
  });
}

Deno.test("apptainer is given the file of an image, its own process 1 and no network", () => {
  const named = { ...plan, engine: "apptainer", image: `/images/a.sif@${image}` } as const;
  const args = containerArguments(named);
  assert(has(args, "--network", "none") && has(args, "--containall", "--no-init"));
  assert.deepEqual(args.slice(-2), ["/images/a.sif", "/launch"]);
});

Deno.test("images are named by their content", () => {
  const good = [image, `docker.io/library/python@${image}`, `/images/a.sif@${image}`];
  assert.deepEqual(good.filter((name) => !imageName.test(name)), []);
  const bad = [
    ...["python:3.11", digest, `sha256:${digest.slice(1)}`, "--privileged"],
    ...[`a b@${image}`, `--privileged@${image}`, `-a@${image}`, `a\0b@${image}`],
  ];
  assert.deepEqual(bad.filter((name) => imageName.test(name)), []);
});

Deno.test("a container proves all that level L2 proves but names of files that an image may lack", () => {
  const inside = new Set(probesAt("container"));
  const missing = probesAt("L2").filter((name) => !inside.has(name));
  assert.deepEqual(missing, ["read"]);
  assert(inside.has("list") && inside.has("parent"));
});

Deno.test("an engine that a repository brings is not looked at", () => {
  const path = "/p/node_modules/.bin:/p/bin:/p:bin:.:/usr/bin:/node_modules/.bin:/pp/bin";
  assert.equal(trustedPath(path, "/p"), "/usr/bin:/pp/bin");
});

/** An engine that says this and ends so, alone on a PATH. */
function engineThat(says: string, code: number, name: string = "podman"): string {
  const folder = temporaryFolder();
  const script = `#!/bin/sh\n${says}\nexit ${code}\n`;
  Deno.writeTextFileSync(`${folder}/${name}`, script, { mode: 0o755 });
  return folder;
}

async function refused(path: string, what: RegExp, settings = {}): Promise<void> {
  const container = new ContainerPython({ image, ...settings }, path);
  await assert.rejects(container.level(), what);
  if (path) Deno.removeSync(path, { recursive: true });
}

sandboxTest("no engine, no answer, no image and another image are told apart", async () => {
  await refused("", /neither podman, docker nor apptainer is on the PATH/);
  await refused(engineThat("", 0, "docker"), /podman is not on the PATH/, { engine: "podman" });
  const down = "echo Cannot connect to the Docker daemon. Is it running? >&2";
  await refused(engineThat(down, 1, "docker"), /docker does not answer: Cannot connect to the D/);
  const none = `echo Error: ${image}: image not known >&2`;
  await refused(engineThat(none, 125), new RegExp(`podman has no image ${image}`));
  await refused(
    engineThat("echo sha256:cdcd []", 0),
    /wanted the image sha256:abab.*found sha256:cd/,
  );
});

sandboxTest("an engine that starts something else, or nothing, is no confinement", async () => {
  const known = `if [ "$1" = image ]; then echo sha256:${digest} []; exit 0; fi`;
  await refused(engineThat(`${known}; echo no cgroup >&2`, 126), /no start.*no cgroup/);
  await refused(engineThat(`${known}; echo hello; cat >/dev/null`, 0), /no start/);
});

sandboxTest("an image of apptainer is a file that has the digest of its name", async () => {
  const file = `${temporaryFolder()}/a.sif`;
  Deno.writeTextFileSync(file, "no image");
  const named = (hex: string) => ({ image: `${file}@sha256:${hex}` });
  const apptainer = () => engineThat("echo no namespace >&2", 255, "apptainer");
  const found = sha256(Deno.readFileSync(file));
  await refused(apptainer(), /wanted the image .*found a file with another digest$/, named(digest));
  await refused(apptainer(), /no namespace/, named(found));
  await refused(apptainer(), /it is a device/, { image: `/dev/zero@${image}` });
  await refused(apptainer(), /no absolute path/, { image: `docker://python@${image}` });
  Deno.removeSync(file);
  await refused(apptainer(), /cannot read the image/, named(digest));
  Deno.removeSync(dirname(file));
});
