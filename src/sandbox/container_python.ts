/** Python in a container: another interpreter and other packages, within the same confinement. */
import { isAbsolute } from "node:path";
import { InputError, MissingPartError } from "../base/diagnostic.ts";
import { hashRegular } from "../base/regular_file.ts";
import type { KernelLevel } from "./attestation.ts";
import { requireOpen } from "./closed_files.ts";
import type { ConfinedProgram, ConfinementContainer, ConfinementHost } from "./confinement.ts";
import {
  containerEngines,
  type ContainerSettings,
  defaultContainerPython,
  digestOfImage,
  enginePath,
  fileOfImage,
  inspectArguments,
  trustedPath,
} from "./container/engine.ts";
import { askEngine } from "./ask_engine.ts";
import type { PathRule } from "./landlock.ts";
import type { Binding } from "./namespaces.ts";
import { defaultPythonLimits, pythonInside, type PythonLimits } from "./python_program.ts";
import { type ProgramRun, runProgram } from "./run_program.ts";
import { requireHost, type RunPythonOptions } from "./run_python.ts";

/**
 * Runs Python in containers of one image. A container is started for each run, and the launcher in
 * it puts all layers of level L2 around the program and proves them, the namespaces and the missing
 * network, before the program begins.
 */
export class ContainerPython {
  readonly #settings: ContainerSettings;
  readonly #path: string;
  #host: Promise<ConfinementHost> | undefined;

  /**
   * Starts nothing yet.
   *
   * @param path folders in which the engine is looked for, as `trustedPath` has them.
   */
  constructor(settings: ContainerSettings, path: string = Deno.env.get("PATH") ?? "") {
    this.#settings = settings;
    this.#path = trustedPath(path, Deno.cwd());
  }

  /**
   * L3, where the engine answers, has the image, and starts an interpreter that proves it.
   *
   * @throws MissingPartError if not: no engine, no answer, no image, another image, no interpreter,
   * or a confinement that does not hold.
   */
  async level(): Promise<KernelLevel> {
    const host = await this.#opened();
    const nothing = this.#program(["-c", "pass"]);
    const run = await this.#run(nothing, host);
    if (run.status === "ok") return "L3";
    throw this.#doesNotStart(new TextDecoder().decode(run.stderr), run.status);
  }

  /**
   * Runs the file and returns how it ended.
   *
   * @throws MissingPartError if the container is not available; nothing was run then.
   */
  async run(options: RunPythonOptions): Promise<ProgramRun> {
    const { script, limits } = options;
    const own: Binding = { path: script, inside: "/program.py", kind: "file", access: "read" };
    const program = this.#program(["/program.py"], [own], limits);
    return await this.#run(program, await this.#opened(), options);
  }

  #opened(): Promise<ConfinementHost> {
    return this.#host ??= this.#open();
  }

  async #open(): Promise<ConfinementHost> {
    const host = await requireHost();
    const container = this.#container();
    await requireImage(container, host);
    const asRoot = host.asRoot && container.engine === "apptainer";
    return { ...host, asRoot, container };
  }

  #container(): ConfinementContainer {
    const { image, engine, runtime } = this.#settings;
    const wanted = engine ? [engine] : containerEngines;
    for (const name of wanted) {
      const file = enginePath(name, this.#path);
      const home = Deno.env.get("HOME") ?? "/";
      const environment = { PATH: this.#path, HOME: home };
      if (file) return { engine: name, file, image, runtime, environment };
    }
    const named = engine ? `${engine} is not` : "neither podman, docker nor apptainer is";
    throw new MissingPartError(
      `Cannot run programs in a container: ${named} on the PATH`,
      "install one, for example: apt-get install podman",
    );
  }

  #program(
    args: readonly string[],
    files: readonly Binding[] = [],
    limits: Partial<PythonLimits> = {},
  ): ConfinedProgram {
    const { python = defaultContainerPython } = this.#settings;
    return containerProgram(python, args, files, { ...defaultPythonLimits, ...limits });
  }

  async #run(
    program: ConfinedProgram,
    host: ConfinementHost,
    options: Partial<RunPythonOptions> = {},
  ): Promise<ProgramRun> {
    const files = program.world.bindings.filter(({ path, inside }) => path !== inside);
    const launcher = { path: host.launcher, kind: "file" } as const;
    requireOpen([launcher, ...files], "L3", { asRoot: true });
    try {
      return await runProgram(program, "L3", host, options);
    } catch (error) {
      if (error instanceof MissingPartError) throw this.#doesNotStart(error.message, "no start");
      throw error;
    }
  }

  /** Why nothing runs in the image, from the output of the engine and the launcher. */
  #doesNotStart(said: string, status: string): MissingPartError {
    const { image, python = defaultContainerPython } = this.#settings;
    const line = said.trim().split("\n").at(-1)?.slice(0, 300) ?? "";
    if (said.includes(`sluice launcher: start ${python}`)) {
      return new MissingPartError(
        `Cannot run programs in the image ${
          short(image)
        }: there is no interpreter ${python} in it, ` +
          "or it was made for another processor",
        'name it in the pipeline: executor = { kind = "container", …, python = "/opt/conda/bin/python" }',
      );
    }
    return new MissingPartError(
      `Cannot run programs in the image ${short(image)} (${status}): ${line}`,
      "start it by hand with the same engine; `runtime` of the executor names another runtime",
    );
  }
}

/** An interpreter of an image, with files of the host that it may read. */
export function containerProgram(
  python: string,
  args: readonly string[],
  files: readonly Binding[],
  limits: PythonLimits,
): ConfinedProgram {
  const world = { bindings: [...rulesInside(python), ...files] };
  return pythonInside({ python, args, world, limits });
}

function short(image: string): string {
  return image.slice(0, image.length - 52);
}

/** Folders in which images have interpreters and libraries, as far as an image has them. */
function rulesInside(python: string): Binding[] {
  const folders = [
    "/usr",
    "/lib",
    "/lib64",
    "/bin",
    "/opt",
    python.split("/").slice(0, -2).join("/"),
  ];
  const rules: PathRule[] = [...new Set(folders)].filter((path) => path !== "").map((path) => ({
    path,
    kind: "directory",
    access: "execute",
    optional: true,
  }));
  const cache: PathRule = {
    path: "/etc/ld.so.cache",
    kind: "file",
    access: "read",
    optional: true,
  };
  const devices: PathRule[] = [
    { path: "/dev/null", kind: "device", access: "write" },
    { path: "/dev/urandom", kind: "device", access: "read" },
  ];
  return [...rules, cache, ...devices].map((rule) => ({ ...rule, inside: rule.path }));
}

/** @throws MissingPartError if the engine does not answer, lacks the image, or has another. */
async function requireImage(
  container: ConfinementContainer,
  host: ConfinementHost,
): Promise<void> {
  const { engine, image } = container;
  const args = inspectArguments(engine, image);
  if (!args) return requireFile(image);
  const { code, stdout, stderr } = await askEngine(container, host, args);
  const said = stderr.trim().split("\n").at(-1)?.slice(0, 300) ?? "";
  if (code !== 0 && /no such image|image not known|not found: does not exist/i.test(stderr)) {
    throw new MissingPartError(
      `Cannot run programs in a container: ${engine} has no image ${image}`,
      `get or build it, and take its name from: ${engine} image inspect --format '{{.Id}}' NAME`,
    );
  }
  if (code !== 0) {
    throw new MissingPartError(
      `Cannot run programs in a container: ${engine} does not answer: ${said}`,
      engine === "docker" ? "start its daemon, or name another engine" : `try: ${engine} info`,
    );
  }
  if (!stdout.includes(digestOfImage(image))) throw otherImage(image, stdout.trim());
}

/** Bytes that an image may have: 64 GiB. */
const mostImageBytes = 2 ** 36;

/** The error leaves out the digest found: it could be that of any file that the runner can read. */
function requireFile(image: string): void {
  const path = fileOfImage(image);
  if (!isAbsolute(path)) throw notReadable(path, "it is no absolute path");
  let found: string;
  try {
    found = hashRegular(path, mostImageBytes);
  } catch (error) {
    throw notReadable(path, (error as Error).message);
  }
  if (found !== digestOfImage(image)) throw otherImage(image, "a file with another digest");
}

function notReadable(path: string, why: string): MissingPartError {
  return new MissingPartError(
    `Cannot run programs in a container: cannot read the image ${path}: ${why}`,
    "name a file by its absolute path: /images/FILE.sif@sha256:…",
  );
}

function otherImage(image: string, found: string): InputError {
  const message = `Cannot run programs in a container: wanted the image ${image}, found ${found}`;
  const hint = "name the image that is meant, or get the one that is named";
  return new InputError([{ code: "sandbox/image", severity: "error", message, hint }]);
}
