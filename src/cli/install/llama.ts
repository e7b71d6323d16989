/**
 * Puts node-llama-cpp with llama.cpp for this machine into `.sluice/llama`, for oracles of the kind
 * `llama_cpp`: `sluice install llama`. It is 85 MB that most projects do without, and no dependency.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { llamaVersion } from "../../oracle/llama_files.ts";
import { InstallError, installing, installLocked, unpackPackage } from "./pinned.ts";

const folder = fileURLToPath(new URL("../../../.sluice/llama", import.meta.url));

/** Integrities of llama.cpp's builds, by Deno's names of system and processor. */
const builds: Readonly<Record<string, readonly [name: string, integrity: string]>> = {
  "linux x86_64": [
    "linux-x64",
    "sha512-5uCCDNqWCNfaAm8aR/Uzxbo4HBpKgNF91kCHPepKhgMgV2OAmatoefbOlMihsqCiH2Od35E/eUHQCFbfRBJuOg==",
  ],
  "linux aarch64": [
    "linux-arm64",
    "sha512-W+7naKCXX9/eEjjFmRS8vvx91QyLXDbeFxexZc3bh/PtQABZgmRL3C0AtYYXn4YGTj/3Qor4lWZn2tpjZFPLdQ==",
  ],
};

async function install(): Promise<void> {
  const { os, arch } = Deno.build;
  const build = builds[`${os} ${arch}`];
  if (!build) {
    const known = Object.keys(builds).join(", ");
    throw new InstallError(
      `no hash of a build for ${os} ${arch} is known (known: ${known})`,
      'oracle = { kind = "policy" } computes without it',
    );
  }
  const binding = `@node-llama-cpp/${build[0]}@${llamaVersion}`;
  console.log(`1/2  node-llama-cpp and ${binding}: 85 MB unpacked`);
  await installLocked("llama", folder);
  await unpackPackage(binding, build[1], folder);
  Deno.writeTextFileSync(join(folder, "entry.js"), entry);
  console.log("2/2  proved when an oracle starts: it is tried against the full distribution");
  console.log('Done. Choose it in a pipeline: oracle = { kind = "llama_cpp", model = "…" }');
}

const own = import.meta.url.slice(import.meta.url.lastIndexOf("."));
const worker = ["..", "..", "src", "oracle", `llama_worker${own}`].join("/");
const entry = `// Written by \`sluice install llama\`: hands the packages beside it to Sluice.
import * as library from "node-llama-cpp";
import { serveLlama } from ${JSON.stringify(worker)};
await serveLlama(library, Deno.args);
`;

if (import.meta.main) await installing("llama.cpp", folder, install);
