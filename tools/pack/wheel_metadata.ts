/** Metadata of a wheel (PEP 427, core metadata 2.4), derived from deno.json. */
import type { DenoConfig } from "./manifest.ts";

/** Packages of Python that the sources import, at the least versions that were tried. */
const requires = ["numpy>=1.26", "pandas>=2.1", "xarray>=2024.10", "zarr>=2.18"];

/**
 * The texts of METADATA, WHEEL and entry_points.txt, by name.
 *
 * @param readme Markdown.
 */
export function wheelMetadata(config: DenoConfig, readme: string): Record<string, string> {
  return {
    METADATA: metadata(config, readme),
    WHEEL: [
      "Wheel-Version: 1.0",
      `Generator: sluice ${config.version}`,
      "Root-Is-Purelib: false",
      `Tag: ${wheelTag(Deno.build)}`,
      "",
    ].join("\n"),
    "entry_points.txt": "[console_scripts]\nsluice = sluice.__main__:main\n",
  };
}

function metadata({ name, version, license }: DenoConfig, readme: string): string {
  const needed = [`deno==${Deno.version.deno}`, ...requires];
  return [
    "Metadata-Version: 2.4",
    `Name: ${name}`,
    `Version: ${version}`,
    "Summary: Scores PyMC programs, ranks model spaces, and proves how close a sampler came.",
    `License-Expression: ${license}`,
    "License-File: LICENSE",
    "License-File: NOTICE",
    "Requires-Python: >=3.10",
    ...needed.map((one) => `Requires-Dist: ${one}`),
    "Description-Content-Type: text/markdown",
    "",
    readme,
  ].join("\n");
}

/**
 * The tag of wheels for a machine: any Python 3, and the platform of the native code inside.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { wheelTag } from "./wheel_metadata.ts";
 *
 * assert.equal(wheelTag({ os: "linux", arch: "x86_64" }), "py3-none-manylinux_2_28_x86_64");
 * assert.throws(() => wheelTag({ os: "freebsd", arch: "x86_64" }), /no wheels for freebsd/);
 * ```
 *
 * @throws Error for a system that no wheel is made for.
 */
export function wheelTag({ os, arch }: Pick<typeof Deno.build, "os" | "arch">): string {
  if (os === "linux") return `py3-none-manylinux_2_28_${arch}`;
  if (os === "darwin") return `py3-none-macosx_12_0_${arch === "aarch64" ? "arm64" : arch}`;
  throw new Error(`there are no wheels for ${os}: on Linux and macOS alone`);
}
