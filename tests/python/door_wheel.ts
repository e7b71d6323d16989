/** The Python door as a user has it: the wheel in an environment of its own, beside PyMC. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findPython } from "../../src/executor/pymc/python_environment.ts";
import { packPython } from "../../tools/pack_python.ts";
import { compiledOnce } from "../pack/compiled_once.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Runs a command to its end. @returns what it printed, messages last. */
function run(command: string, args: string[], env: Record<string, string> = {}): string {
  const { success, stdout, stderr } = new Deno.Command(command, { args, env, cwd: root })
    .outputSync();
  const all = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assert(success, all);
  return all;
}

/** An environment with the wheel, in which PyMC is found where `sluice doctor` put it. */
function install(folder: string): string {
  const { name, bytes } = packPython(root, compiledOnce);
  Deno.writeFileSync(join(folder, name), bytes);
  const pymc = findPython(root);
  const site = "import sysconfig; print(sysconfig.get_paths()['purelib'])";
  run(pymc, ["-m", "venv", join(folder, "python")]);
  const python = join(folder, "python", "bin", "python");
  run(python, ["-m", "pip", "install", "--quiet", join(folder, name)]);
  Deno.writeTextFileSync(
    join(run(python, ["-c", site]).trim(), "zz_pymc.pth"),
    run(pymc, ["-c", site]),
  );
  return python;
}

/** The score by the command line of this checkout, which the wheel has to give as well. */
function scoreOfCheckout(folder: string): string {
  const source = Deno.readTextFileSync(join(root, "tests", "python", "door.py"));
  const program = join(folder, "curve.py");
  Deno.writeTextFileSync(program, /PROGRAM = """([^]*?)"""/.exec(source)![1]);
  const args = ["task", "-q", "sluice", "score", program, "--data", "data/dugongs.csv", "--json"];
  const { stdout } = new Deno.Command(Deno.execPath(), { args, cwd: root }).outputSync();
  return String(JSON.parse(new TextDecoder().decode(stdout)).elpd_loo);
}

/** The card of the answer in a notebook: Sluice's own output, the same with any other library. */
function cardOf(path: string): string {
  const { cells } = JSON.parse(Deno.readTextFileSync(path));
  const shown = cells.flatMap(({ outputs = [] }) => outputs)
    .map(({ data }: { data?: Record<string, string[]> }) => (data?.["text/html"] ?? []).join(""));
  return shown.find((html: string) => html.includes("90 %"))!;
}

/** Executes a notebook of the documentation in a folder of its own, beside its data. */
function checkNotebook(python: string, folder: string, name: string, data: string): void {
  run(python, ["-m", "pip", "install", "--quiet", "nbclient", "ipykernel"]);
  const [books, tables] = [join(folder, "docs", "notebooks"), join(folder, "data")];
  for (const one of [books, tables]) Deno.mkdirSync(one, { recursive: true });
  const [shown, own] = [join(root, "docs", "notebooks", name), join(books, name)];
  Deno.copyFileSync(join(root, "data", data), join(tables, data));
  Deno.copyFileSync(shown, own);
  run(python, ["tools/notebooks/execute.py", own]);
  assert.equal(cardOf(own), cardOf(shown), `${name} is not current: run deno task notebooks`);
}

/** Runs a page as it stands, beside the data of PyMC's. */
function checkPage(python: string, folder: string, page: string, blocks: number): void {
  Deno.copyFileSync(join(root, "data", "dugongs.csv"), join(folder, "dugongs.csv"));
  const args = [join(root, "tests/python/page.py"), join(root, page), `${blocks}`];
  const { success, stdout, stderr } = new Deno.Command(python, { args, cwd: folder }).outputSync();
  const said = new TextDecoder().decode(success ? stdout : stderr);
  assert.match(said, new RegExp(`\\b${blocks} blocks ran`), said);
}

Deno.test("the wheel scores, ranks and runs, and writes models of PyMC as programs", () => {
  const folder = Deno.makeTempDirSync({ prefix: "sluice-wheel-" });
  try {
    const python = install(folder);
    const env = { SLUICE_EXPECTED_ELPD: scoreOfCheckout(folder), PYTHONWARNINGS: "ignore" };
    const said = run(python, ["-m", "unittest", "tests/python/door.py"], env);
    const tests = Deno.readTextFileSync(join(root, "tests/python/door.py")).match(/def test_/g)!;
    assert.match(said, new RegExp(`Ran ${tests.length} tests`));
    assert.match(run(python, ["-m", "sluice", "--version"]), /^\d+\.\d+\.\d+$/m);
    checkNotebook(python, folder, "pooling.ipynb", "eight_schools.csv");
    checkPage(python, folder, "docs/for_pymc_users.md", 5);
    checkPage(python, folder, "docs/certificates.md", 1);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
