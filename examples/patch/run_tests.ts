/** Tests of a patched repository: twice in the sandbox, answers compared outside of it. */
import { pythonLevel, runPython } from "sluice/sandbox";
import { applyPatch, type Files } from "./patch.ts";

/** A call of a function of the repository, and what it is to return. */
export interface TestCase {
  readonly call: string;
  readonly with: readonly unknown[];
  /** Stays here: the process that runs the patch is told calls alone. */
  readonly wanted: unknown;
}

/** The outcome of a patch. */
export interface Tried {
  /** Share of the cases that came out as wanted, 0 … 1. */
  readonly share: number;
  /** Why it is 0 whatever the cases say. */
  readonly why?: "does not fit" | "runs differ";
}

/** Files of the repository by name; the tests that its readers see are none of it. */
export function readRepository(): Files {
  const folder = new URL("repository/", import.meta.url);
  return Object.fromEntries(
    ["clock.py", "intervals.py"].map((
      name,
    ) => [name, Deno.readTextFileSync(new URL(name, folder))]),
  );
}

/** The withheld cases. */
export function readCases(): readonly TestCase[] {
  return JSON.parse(Deno.readTextFileSync(new URL("withheld.json", import.meta.url)));
}

/**
 * Runs all cases on a patched repository, twice: runs that differ are worth nothing. A case is lost
 * where the process ends before it, raises, or does not write one line for each call.
 *
 * @throws MissingPartError where this machine confines no Python.
 */
export async function runTests(
  files: Files,
  patch: string,
  cases: readonly TestCase[],
): Promise<Tried> {
  let patched: Files;
  try {
    patched = applyPatch(files, patch.startsWith("#") ? "" : patch);
  } catch {
    return { share: 0, why: "does not fit" };
  }
  const script = Deno.makeTempFileSync({ suffix: ".py" });
  try {
    Deno.chmodSync(script, 0o644); // at level L3 the program is another user
    Deno.writeTextFileSync(script, driver(patched));
    const [one, two] = [await answers(script, cases), await answers(script, cases)];
    if (one.join("\n") !== two.join("\n")) return { share: 0, why: "runs differ" };
    const right = cases.filter(({ wanted }, i) => one[i] === JSON.stringify(wanted));
    return { share: right.length / cases.length };
  } finally {
    Deno.removeSync(script);
  }
}

/** A line for each call; none where the process wrote others. */
async function answers(script: string, cases: readonly TestCase[]): Promise<string[]> {
  const calls = cases.map(({ call, with: args }) => [call, args]);
  const stdin = new TextEncoder().encode(JSON.stringify(calls));
  const limits = { cpuSeconds: 5 };
  const { stdout } = await runPython({ script, level: await pythonLevel(), stdin, limits });
  return new TextDecoder().decode(stdout).trimEnd().split("\n");
}

/** Python that has the modules of the repository, and answers calls on standard input. */
function driver(files: Files): string {
  const modules = JSON.stringify(JSON.stringify(files));
  return `import json, sys, types
files = json.loads(${modules})
for name, text in sorted(files.items()):
    module = types.ModuleType(name[:-3])
    sys.modules[name[:-3]] = module
    exec(compile(text, name, "exec"), module.__dict__)
for call, args in json.loads(sys.stdin.read()):
    try:
        found = getattr(sys.modules["intervals"], call)(*args)
        print(json.dumps(found, separators=(",", ":")), flush=True)
    except Exception as error:
        print(json.dumps({"raised": type(error).__name__}), flush=True)
`;
}
