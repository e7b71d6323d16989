/** Bundles the engine worker into src/exec/worker.js: one plain, readable, reproducible file. */
import * as esbuild from "esbuild";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const output = fileURLToPath(new URL("../src/exec/worker.js", import.meta.url));

const banner =
  "/** The engine worker, bundled by tools/bundle_worker.ts from src/exec/worker_main.ts. */";

/** The text of the bundle. Comments name files relative to the repository, so places do not matter. */
export async function bundleWorker(entry = "src/exec/worker_main.ts"): Promise<string> {
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
      alias: { "node:crypto": "./src/exec/worker_crypto.ts" },
      banner: { js: banner },
      logLevel: "silent",
    });
    return outputFiles[0].text;
  } finally {
    await esbuild.stop();
  }
}

if (import.meta.main) {
  await Deno.writeTextFile(output, await bundleWorker());
  console.log("wrote src/exec/worker.js");
}
