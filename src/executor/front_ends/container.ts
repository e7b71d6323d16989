/** The executor `container`: PyMC of an image builds the model, with the packages that are in it. */
import { canonicalJson } from "../../base/canonical_json.ts";
import { inputError } from "../../base/diagnostic.ts";
import { digestOf, sha256 } from "../../base/digest.ts";
import { z } from "../../base/zod.ts";
import {
  containerEngines,
  defaultContainerPython,
  imageName,
} from "../../sandbox/container/mod.ts";
import { readOwnFile } from "../own_file.ts";
import { extractionScript } from "../pymc/digest.ts";
import type { BuiltInExecutor } from "./front_end.ts";

/** `executor = { kind = "container", … }` of a target; the same rules hold for stages that ask for one. */
export const containerExecutor = z.strictObject({
  kind: z.literal("container"),
  image: z.string().refine(
    (name) => imageName.test(name),
    "wanted an image by its content, for a tag can move: sha256:… (podman image inspect " +
      "--format '{{.Id}}' NAME), NAME@sha256:… or FILE.sif@sha256:…",
  ).meta({
    description: "image by its content: sha256:…, NAME@sha256:… or FILE.sif@sha256:…",
    format: "container-image", // the user is asked before it is started
  }),
  engine: z.enum(containerEngines).optional()
    .describe("command that starts it (default: the first on the PATH)"),
  // Engines take paths of programs as well, and start them on this machine.
  runtime: z.string().refine((name) => /^[a-z][\w.-]*$/.test(name), "wanted a name, such as runc")
    .optional()
    .describe("runtime of the engine (default: its own choice)"),
  python: z.string().startsWith("/", "wanted an absolute path").default(defaultContainerPython)
    .describe("interpreter in the image"),
  packages: z.array(z.string().refine(isPackage, "wanted the name by which programs import it"))
    .default([]).describe("packages that programs may import beside those of pymc"),
});

function isPackage(name: string): boolean {
  return /^[A-Za-z]\w*$/.test(name);
}

/** A container as a target names it. */
export type ContainerExecutor = z.input<typeof containerExecutor>;

const prefix = "container ";

/**
 * The name by which a container is asked for: executors are known by texts.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { containerName, containerOf } from "./container.ts";
 * const image = `sha256:${"0".repeat(64)}`;
 * const name = containerName({ kind: "container", image });
 * assert.equal(containerOf(name)?.reads, "processes");
 * assert.equal(containerOf("pymc"), undefined);
 * ```
 */
export function containerName(settings: ContainerExecutor): string {
  return prefix + canonicalJson(JSON.parse(JSON.stringify(settings)));
}

/**
 * The executor of a container's name; undefined if it is none.
 *
 * @throws InputError if a target could not have named it: names come from the processes of stages.
 */
export function containerOf(name: string): ProcessesOfContainer | undefined {
  if (!name.startsWith(prefix)) return undefined;
  return ofImage(name, settingsOf(name));
}

function settingsOf(name: string): z.output<typeof containerExecutor> {
  try {
    return containerExecutor.parse(JSON.parse(name.slice(prefix.length)));
  } catch (error) {
    const issue = error instanceof z.ZodError ? error.issues[0] : undefined;
    const why = issue ? `${issue.path.join(".")}: ${issue.message}` : "it is no JSON";
    const message = `Cannot use the executor ${name.slice(0, 300)}: ${why}`;
    const hint = "give the executor of a target on as it is";
    throw inputError("executor/container", message, undefined, hint);
  }
}

type ProcessesOfContainer = Extract<BuiltInExecutor, { readonly reads: "processes" }>;

function ofImage(
  name: string,
  settings: z.output<typeof containerExecutor>,
): ProcessesOfContainer {
  const { image, python, packages } = settings;
  return {
    name,
    reads: "processes",
    image,
    packages,
    // The engine and its runtime start the image; its content makes the graph.
    digest: () =>
      digestOf(["container", image, python, packages, sha256(readOwnFile(extractionScript))]),
    async open(limits) {
      const { PymcFrontEnd } = await import("../pymc/front_end.ts");
      const { ContainerPython } = await import("../../sandbox/mod.ts");
      const inside = { path: python, remedy: "install PyMC in the image, and name its new id" };
      return new PymcFrontEnd({ ...limits, sandbox: new ContainerPython(settings), inside });
    },
  };
}
