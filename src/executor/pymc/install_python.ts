/** Makes the Python environment of the PyMC front end from its lock; a program of its own. */
import { rmSync } from "node:fs";
import {
  environmentFolder,
  pythonLockDigest,
  pythonLockFile,
  stampFile,
} from "./python_environment.ts";

/**
 * A fresh virtual environment with exactly the locked packages, each checked against its digest.
 *
 * Programs cannot write what Python compiles, so all of it is compiled here, in the form that does
 * not look at the times of files: a copied folder would else be compiled again by every program,
 * which triples what it takes to import PyMC.
 */
async function main(root: string): Promise<void> {
  const folder = environmentFolder(root);
  Deno.umask(0o022); // programs that root starts are another user
  rmSync(folder, { recursive: true, force: true });
  console.error("making a virtual environment of Python 3.11");
  const python = "install Python 3.11 with venv, for example: apt-get install python3-venv";
  await run("python3", ["-m", "venv", "--copies", folder], python);
  console.error("installing PyMC: about 700 MB on disk");
  const flags = ["-m", "pip", "install", "-q", "--disable-pip-version-check", "--require-hashes"];
  const only = ["--no-deps", "--only-binary=:all:", "--no-compile", "-r", pythonLockFile];
  const lock = "the lock holds wheels for CPython 3.11 on x86-64 Linux; is the network there?";
  await run(`${folder}/bin/python`, [...flags, ...only], lock);
  console.error("compiling what was installed");
  const compile = ["-m", "compileall", "-q", "-f", "--invalidation-mode", "unchecked-hash"];
  await run(`${folder}/bin/python`, [...compile, `${folder}/lib`], "install again");
  Deno.writeTextFileSync(stampFile(root), pythonLockDigest());
}

async function run(command: string, args: readonly string[], remedy: string): Promise<void> {
  const ended = await outputOf(command, args);
  if (ended?.success) return;
  const said = new TextDecoder().decode(ended?.stderr).trim().split("\n").at(-1) ?? "";
  console.error(`Cannot install Python: ${command} ${ended ? "has failed" : "is missing"} ${said}`);
  console.error(`  mend: ${remedy}`);
  Deno.exit(3);
}

/** Undefined if there is no such command. */
async function outputOf(command: string, args: readonly string[]) {
  try {
    const child = new Deno.Command(command, { args: [...args], stdin: "null", stdout: "null" });
    return await child.output(); // throws before it waits
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

if (import.meta.main) await main(Deno.args[0]);
