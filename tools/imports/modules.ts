/** Which file of the house imports which, and which outside library, as `deno info` sees it. */

/** One import of a file: of another file, or of a library. */
export interface FileArrow {
  /** Path of the importing file, from the root. */
  readonly from: string;
  /** Path of the imported file; empty for a library. */
  readonly to: string;
  readonly library?: string;
  /** Whether values are imported when the module is loaded, and not types alone or on demand. */
  readonly value: boolean;
}

interface ModuleInfo {
  readonly specifier: string;
  readonly dependencies?: readonly {
    readonly specifier: string;
    readonly isDynamic?: boolean;
    readonly code?: { readonly specifier?: string };
    readonly type?: { readonly specifier?: string };
  }[];
}

const root = new URL("../..", import.meta.url).href;

/** Every import of every module that can be reached from the doors of the house. */
export async function fileArrows(): Promise<readonly FileArrow[]> {
  return (await modules()).flatMap((module) => {
    const from = pathOf(module.specifier);
    if (from === undefined) return [];
    return (module.dependencies ?? []).map((dependency): FileArrow => {
      const target = dependency.code?.specifier ?? dependency.type?.specifier ?? "";
      const value = dependency.code !== undefined && !dependency.isDynamic;
      return { from, to: pathOf(target) ?? "", library: library(dependency.specifier), value };
    });
  });
}

function pathOf(specifier: string): string | undefined {
  const path = specifier.startsWith(root) ? specifier.slice(root.length) : "node_modules/";
  return path.startsWith("node_modules/") ? undefined : path;
}

async function modules(): Promise<readonly ModuleInfo[]> {
  const found = new Map<string, ModuleInfo>();
  for (const entry of doors()) {
    const args = ["info", "--json", new URL(entry, root).pathname];
    const { stdout, success } = await new Deno.Command("deno", { args }).output();
    if (!success) throw new Error(`deno info ${entry} failed`);
    const info = JSON.parse(new TextDecoder().decode(stdout)) as { modules: ModuleInfo[] };
    for (const module of info.modules) found.set(module.specifier, module);
  }
  return [...found.values()];
}

/** What is started or imported from outside; commands are loaded by their names. */
function doors(): readonly string[] {
  const commands = [...Deno.readDirSync(new URL("src/cli/commands", root))];
  const libraries = ["engine", "gfn", "sandbox", "pipeline"].map((name) => `src/${name}/mod.ts`);
  return [
    ...libraries,
    ...["mod.ts", "src/cli/main.ts", "src/executor/worker_main.ts", "src/pipeline/host/main.ts"],
    ...commands.map(({ name }) => `src/cli/commands/${name}`).sort(),
  ];
}

function library(specifier: string): string | undefined {
  if (/^(\.|file:|node:|\/)/.test(specifier)) return undefined;
  const [first, second] = specifier.split("/");
  return first.startsWith("@") ? `${first}/${second}` : first;
}
