/** Bundles the engine worker: one plain, readable, reproducible file; a program of its own. */
import * as esbuild from "esbuild";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

const banner =
  "/** The engine worker, bundled by src/executor/bundle_engine.ts from src/executor/worker_main.ts. */";

/** The text of the bundle. Comments name files relative to the repository, so places do not matter. */
export async function bundleEngine(entry = "src/executor/worker_main.ts"): Promise<string> {
  try {
    const { outputFiles } = await esbuild.build({
      absWorkingDir: root,
      entryPoints: [entry],
      bundle: true,
      write: false,
      format: "iife",
      platform: "neutral",
      target: "es2024",
      charset: "utf8",
      legalComments: "none",
      external: ["node:*"],
      alias: { "node:crypto": "./src/executor/worker_crypto.ts" },
      banner: { js: banner },
      logLevel: "silent",
    });
    return outputFiles[0].text;
  } finally {
    await esbuild.stop();
  }
}

if (import.meta.main) {
  const [output] = Deno.args;
  await Deno.mkdir(dirname(output), { recursive: true });
  const unfinished = `${output}.${Deno.pid}`;
  await Deno.writeTextFile(unfinished, await bundleEngine());
  await Deno.rename(unfinished, output); // others may be at it too: each writes the same bytes
}
