/** Writes the launchers of the sandbox, `src/sandbox/launch_*`, from their listings. */
import { fileURLToPath } from "node:url";
import { launcherImage } from "../src/sandbox/launcher_image.ts";
import { architectures } from "../src/sandbox/syscall_numbers.ts";

for (const arch of architectures) {
  const path = fileURLToPath(new URL(`../src/sandbox/launch_${arch}`, import.meta.url));
  await Deno.writeFile(path, launcherImage(arch), { mode: 0o755 });
  await Deno.chmod(path, 0o755);
}
