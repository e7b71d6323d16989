/** The executor `container`: PyMC of an image builds the model, with the packages that are in it. */
import { canonicalJson } from "../../base/canonical_json.ts";
import { digestOf, sha256 } from "../../base/digest.ts";
import { isRecord } from "../../base/record.ts";
import { type ContainerSettings, defaultContainerPython } from "../../sandbox/container/mod.ts";
import { readOwnFile } from "../own_file.ts";
import { extractionScript } from "../pymc/digest.ts";
import type { BuiltInExecutor } from "./front_end.ts";

/** `executor = { kind = "container", … }` of a target. */
export interface ContainerExecutor extends ContainerSettings {
  readonly kind: "container";
  /** Packages that programs may import beside those of `pymc`. */
  readonly packages?: readonly string[];
}

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

/** The executor of a container's name; undefined if it is none. */
export function containerOf(name: string): ProcessesOfContainer | undefined {
  if (!name.startsWith(prefix)) return undefined;
  const settings: unknown = JSON.parse(name.slice(prefix.length));
  if (!isRecord(settings) || typeof settings.image !== "string") return undefined;
  return ofImage(name, settings as unknown as ContainerExecutor);
}

type ProcessesOfContainer = Extract<BuiltInExecutor, { readonly reads: "processes" }>;

function ofImage(name: string, settings: ContainerExecutor): ProcessesOfContainer {
  const { image, python = defaultContainerPython, packages = [] } = settings;
  return {
    name,
    reads: "processes",
    packages,
    // The engine and its runtime start the image; its content makes the graph.
    digest: () =>
      digestOf(["container", image, python, [...packages], sha256(readOwnFile(extractionScript))]),
    async open(limits) {
      const { PymcFrontEnd } = await import("../pymc/front_end.ts");
      const { ContainerPython } = await import("../../sandbox/mod.ts");
      const inside = { path: python, remedy: "install PyMC in the image, and name its new id" };
      return new PymcFrontEnd({ ...limits, sandbox: new ContainerPython(settings), inside });
    },
  };
}
