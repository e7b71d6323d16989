/** Which files of a checkout go into the package: modules to compile, and files as they are. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { packagedFolder, workerPath } from "../../src/executor/engine_file.ts";

/** Files from which the package is made. */
export interface PackageFiles {
  /** Paths of TypeScript modules, relative to the checkout, with forward slashes. */
  readonly modules: readonly string[];
  /** Contents of all other files, by their path in the package. */
  readonly plain: ReadonlyMap<string, Uint8Array>;
}

const codeFolders = ["src", "stages"];
const dataFolders = ["grammars", "configs", "data", "experiments", "pipelines", "schemas"];
const pages = ["README.md", "LICENSE", "CHANGELOG.md"];
/** A package brings its engine: the bundler and the library that it needs are not packed. */
const bundler = "src/executor/bundle_engine.ts";

/**
 * Collects the files.
 *
 * @throws Error if a file is missing that the package cannot do without.
 */
export function packageFiles(root: string): PackageFiles {
  for (const path of pages) {
    if (!existsSync(join(root, path))) throw new Error(`Cannot pack: there is no ${path}`);
  }
  const code = codeFolders.flatMap((folder) => filesBelow(root, folder));
  const sources = code.filter((path) => path.endsWith(".ts") && path !== bundler);
  const modules = ["mod.ts", ...sources];
  const others = code.filter((path) => !path.endsWith(".ts"));
  const plain = [
    ...others,
    ...dataFolders.flatMap((folder) => filesBelow(root, folder)),
    ...pages,
  ];
  const read = (path: string) => [path, readFileSync(join(root, path))] as const;
  const own = filesBelow(join(root, "package"), ".").map((path) =>
    [path, readFileSync(join(root, "package", path))] as const
  );
  const engine = `src/executor/${packagedFolder}/${basename(workerPath())}`;
  const worker = [engine, readFileSync(workerPath())] as const;
  return { modules, plain: new Map([...plain.map(read), ...own, worker]) };
}

function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "." ? entry.name : `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(root, path) : [path];
  });
}
