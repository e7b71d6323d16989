/**
 * Puts node-llama-cpp with llama.cpp for this machine into `.sluice/llama`, for oracles of the kind
 * `llama_cpp`: `deno task llama:install`. It is 85 MB that most projects do without, and no dependency.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { llamaVersion } from "../src/oracle/llama_files.ts";

const folder = fileURLToPath(new URL("../.sluice/llama", import.meta.url));

/** Node's names of systems and processors. */
const systems: Readonly<Record<string, string>> = { darwin: "mac", linux: "linux", windows: "win" };
const processors: Readonly<Record<string, string>> = { x86_64: "x64", aarch64: "arm64" };

async function main(): Promise<void> {
  if (Deno.args.length > 0) fail(`unknown flag ${Deno.args[0]}`, "usage: deno task llama:install");
  rmSync(folder, { recursive: true, force: true });
  Deno.mkdirSync(folder, { recursive: true });
  const system = systems[Deno.build.os] ?? Deno.build.os;
  const processor = processors[Deno.build.arch];
  const binding = `@node-llama-cpp/${system}-${processor}${system === "mac" ? "-metal" : ""}`;
  console.log(`1/2  node-llama-cpp and ${binding} ${llamaVersion}: 85 MB unpacked`);
  const flags = ["--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund"];
  const packages = [`node-llama-cpp@${llamaVersion}`, `${binding}@${llamaVersion}`];
  await npm(["install", ...flags, "--prefix", folder, ...packages]);
  Deno.writeTextFileSync(join(folder, "entry.ts"), entry);
  console.log("2/2  proved when an oracle starts: it is tried against the full distribution");
  console.log('Done. Choose it in a pipeline: oracle = { kind = "llama_cpp", model = "…" }');
}

const entry = `// Written by \`deno task llama:install\`: hands the packages beside it to Sluice.
import * as library from "node-llama-cpp";
import { serveLlama } from "../../src/oracle/llama_worker.ts";
await serveLlama(library, Deno.args);
`;

async function npm(args: readonly string[]): Promise<void> {
  try {
    const command = new Deno.Command("npm", { args: [...args], stdin: "null" });
    if ((await command.spawn().status).success) return;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  fail("npm is missing or has failed", "install Node.js with npm");
}

function fail(what: string, remedy: string): never {
  console.error(`Cannot install llama.cpp: ${what}\n  mend: ${remedy}`);
  Deno.exit(3);
}

if (import.meta.main) await main();
