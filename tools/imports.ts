/** Draws the import graph between folders from `deno info` and reports arrows that point up. */

/** Folders from the bottom up; a folder may import from its own level's left and from below. */
const layers: readonly (readonly string[])[] = [
  ["src/base"],
  ["src/math"],
  ["src/toml", "src/data", "src/graph", "src/infer", "src/gfn"],
  ["src/families", "src/importance"],
  ["src/lang"],
  ["src/density", "src/loo", "src/predict", "src/pymc"],
  ["src/score"],
  ["src/inference_data"],
  ["src/exec"],
  ["src/store"],
  ["src/runner"],
  ["src/ports"],
  ["stages"],
  ["src/cli", "mod.ts"],
];

/** Which folders may import which outside library. */
const libraries: Readonly<Record<string, readonly string[]>> = {
  "smol-toml": ["src/toml"],
  "toml-eslint-parser": ["src/toml"],
  zod: ["src/toml", "src/runner", "src/ports", "stages", "mod.ts"],
  "csv-parse": ["src/data"],
  hyparquet: ["src/data"],
  "hyparquet-compressors": ["src/data"],
  "@duckdb/node-api": ["src/store"],
  "@tensorflow/tfjs-core": ["src/gfn"],
  "@tensorflow/tfjs-backend-cpu": ["src/gfn"],
  "@tensorflow/tfjs-backend-wasm": ["src/gfn"],
  "@tensorflow/tfjs-backend-webgpu": ["src/gfn"],
  commander: ["src/cli"],
  "@commander-js/extra-typings": ["src/cli"],
  picocolors: ["src/cli"],
  "cli-table3": ["src/cli"],
};

/** Neighbours that may know each other although they share a level. */
const allowed = new Set<string>();

interface ModuleInfo {
  readonly specifier: string;
  readonly dependencies?: readonly {
    readonly specifier: string;
    readonly code?: { readonly specifier?: string };
    readonly type?: { readonly specifier?: string };
  }[];
}

const root = new URL("..", import.meta.url);
const level = new Map(layers.flatMap((names, i) => names.map((name) => [name, i] as const)));

function folderOf(specifier: string): string | undefined {
  if (!specifier.startsWith(root.href)) return undefined;
  const path = specifier.slice(root.href.length);
  if (path.startsWith("node_modules/")) return undefined;
  return [...level.keys()].find((name) => path === name || path.startsWith(`${name}/`));
}

async function modules(): Promise<readonly ModuleInfo[]> {
  const commands = [...Deno.readDirSync(new URL("src/cli/commands", root))];
  const roots = [
    ...["mod.ts", "src/cli/main.ts", "src/exec/worker_main.ts", "src/runner/host/main.ts"],
    ...commands.map(({ name }) => `src/cli/commands/${name}`).sort(), // loaded by their names
  ];
  const found = new Map<string, ModuleInfo>();
  for (const entry of roots) {
    const args = ["info", "--json", new URL(entry, root).pathname];
    const { stdout, success } = await new Deno.Command("deno", { args }).output();
    if (!success) throw new Error(`deno info ${entry} failed`);
    const info = JSON.parse(new TextDecoder().decode(stdout)) as { modules: ModuleInfo[] };
    for (const module of info.modules) found.set(module.specifier, module);
  }
  return [...found.values()];
}

function library(specifier: string): string | undefined {
  if (/^(\.|file:|node:|\/)/.test(specifier)) return undefined;
  const [first, second] = specifier.split("/");
  return first.startsWith("@") ? `${first}/${second}` : first;
}

interface Graph {
  readonly arrows: ReadonlyMap<string, number>;
  readonly faults: readonly string[];
}

function graphOf(all: readonly ModuleInfo[]): Graph {
  const arrows = new Map<string, number>();
  const faults: string[] = [];
  for (const module of all) {
    const from = folderOf(module.specifier);
    if (!from) continue;
    for (const dependency of module.dependencies ?? []) {
      const target = dependency.code?.specifier ?? dependency.type?.specifier ?? "";
      const to = folderOf(target);
      if (to && to !== from) {
        const arrow = `${from} -> ${to}`;
        arrows.set(arrow, (arrows.get(arrow) ?? 0) + 1);
        if (level.get(to)! >= level.get(from)! && !allowed.has(arrow)) {
          faults.push(`${module.specifier.slice(root.href.length)} imports ${to}: points up`);
        }
      }
      const name = library(dependency.specifier);
      const folders = name === undefined ? undefined : libraries[name];
      if (folders && !folders.includes(from)) {
        faults.push(
          `${module.specifier.slice(root.href.length)} imports ${name}: only ${
            folders.join(", ")
          } may`,
        );
      }
    }
  }
  return { arrows, faults };
}

function mermaid({ arrows }: Graph): string {
  const id = (name: string) => name.replace(/^src\//, "").replace(/\W/g, "_");
  const label = (name: string) => name.replace(/^src\//, "");
  const nodes = [...level.keys()].map((name) => `  ${id(name)}["${label(name)}"]`);
  const edges = [...arrows.keys()].sort().map((arrow) => {
    const [from, to] = arrow.split(" -> ");
    return `  ${id(from)} --> ${id(to)}`;
  });
  return ["```mermaid", "flowchart TD", ...nodes, ...edges, "```"].join("\n");
}

const begin = "<!-- import graph: written by `deno task imports --write` -->";
const end = "<!-- end of import graph -->";

async function writeDrawing(graph: Graph, check: boolean): Promise<boolean> {
  const file = new URL("docs/architecture.md", root);
  const text = await Deno.readTextFile(file);
  const [head, rest] = text.split(begin);
  const tail = rest?.split(end)[1];
  if (tail === undefined) throw new Error("docs/architecture.md has no place for the drawing");
  const drawn = `${head}${begin}\n\n${mermaid(graph)}\n\n${end}${tail}`;
  if (!check) await Deno.writeTextFile(file, drawn);
  return drawn === text;
}

if (import.meta.main) {
  const graph = graphOf(await modules());
  for (const fault of graph.faults) console.error(fault);
  const current = await writeDrawing(graph, !Deno.args.includes("--write"));
  if (!current && !Deno.args.includes("--write")) {
    console.error("docs/architecture.md is not current: run `deno task imports --write`");
    Deno.exit(1);
  }
  if (graph.faults.length > 0) Deno.exit(1);
  console.log(`${graph.arrows.size} arrows between ${level.size} folders; none points up`);
}
