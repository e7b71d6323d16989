/** Starts the installation of the Python environment, with the permissions that it needs. */
import { join } from "node:path";
import { denoPath, moduleArgument, moduleBeside } from "../../base/deno_command.ts";

const script = moduleBeside("./install_python.ts", import.meta.url);

/** Installs into a project; the installer's output goes to standard error. True if it succeeded. */
export async function startInstallation(root: string): Promise<boolean> {
  const folder = join(root, ".sluice");
  Deno.mkdirSync(folder, { recursive: true });
  const write = `--allow-write=${folder}`; // Deno refuses to write a file that --allow-run names
  // Deno asks for "umask", which its command line does not know by name.
  const allow = ["--allow-read", write, "--allow-run", "--allow-sys"];
  const args = ["run", "--no-prompt", ...allow, moduleArgument(script), root];
  const child = new Deno.Command(denoPath(), { args, stdin: "null" }).spawn();
  return (await child.status).success;
}
