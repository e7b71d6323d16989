#!/usr/bin/env node
/** Starts Sluice under Deno, with the permissions that its checkout uses; runs in Node itself. */
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, isAbsolute, join, sep } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const home = fileURLToPath(new URL("..", import.meta.url));
const deno = denoBinary();
const child = spawn(
  deno,
  ["run", ...flags(), join(home, "src", "cli", "main.js"), ...process.argv.slice(2)],
  { stdio: "inherit" },
);
child.on("error", ({ message }) => {
  console.error(`Cannot start Deno: ${message}\n  mend: npm install deno`);
  process.exit(3);
});
child.on("exit", (code, signal) => {
  process.exit(code ?? 128 + constants.signals[signal]);
});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
// A terminal sends Ctrl-C to both processes; sent again, it would count as the second one.
process.on("SIGINT", () => hasTerminal() || child.kill("SIGINT"));

/** The binary of the package `deno` that was installed beside this one, else the one on the PATH. */
function denoBinary() {
  const name = process.platform === "win32" ? "deno.exe" : "deno";
  const require = createRequire(import.meta.url);
  try {
    const linked = join(dirname(require.resolve("deno/package.json")), name);
    return existsSync(linked) ? linked : require("deno/install_api.cjs").runInstall();
  } catch {
    return name;
  }
}

/**
 * Flags of `deno run`, as a checkout's task has them; only the folders are others here. Written to
 * is the project, wherever in it the command is given, and the user's own folder of Sluice; native
 * code lies where npm put it.
 */
function flags() {
  const written = JSON.parse(readFileSync(new URL("./flags.json", import.meta.url), "utf8"));
  return written.map((flag) => {
    if (flag.startsWith("--allow-write=")) {
      const folders = [projectFolder(), ...configFolders()];
      return `--allow-write=${folders.map(escapeCommas).join(",")}`;
    }
    if (flag.startsWith("--allow-run=deno,")) return allowRun(flag);
    return flag.replace("./node_modules", () => escapeCommas(modulesFolder()))
      .replaceAll("./src/", () => escapeCommas(join(home, "src") + sep));
  });
}

/** Sluice starts the Deno that runs it, by its path: no other `deno` is looked up. */
function allowRun(flag) {
  const own = existsSync(deno) ? escapeCommas(realpathSync(deno)) : "deno";
  return flag.replace("=deno,", () => `=${own},`)
    .replaceAll("./src/", () => escapeCommas(join(home, "src") + sep));
}

/** The nearest folder above the working directory that has a deno.json or a package.json. */
function projectFolder() {
  const markers = ["deno.json", "deno.jsonc", "package.json"];
  for (let at = process.cwd();; at = dirname(at)) {
    if (markers.some((name) => existsSync(join(at, name)))) return at;
    if (dirname(at) === at) return process.cwd();
  }
}

/** Where the user's key and list of trust may lie: see `userFolder` of Sluice. */
function configFolders() {
  const { XDG_CONFIG_HOME, HOME } = process.env;
  return [XDG_CONFIG_HOME, HOME && join(HOME, ".config")]
    .filter((folder) => folder && isAbsolute(folder))
    .map((folder) => join(folder, "sluice"));
}

function modulesFolder() {
  const end = home.indexOf(`${sep}node_modules${sep}`);
  return end < 0 ? join(home, "node_modules") : home.slice(0, end) + `${sep}node_modules`;
}

/** Deno separates paths by commas, and takes two for one. */
function escapeCommas(path) {
  return path.replaceAll(",", ",,");
}

function hasTerminal() {
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return process.platform === "win32";
  }
}
