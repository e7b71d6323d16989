/** The user's folder of configuration, lent to one test. */
import { inFolder } from "../pipeline/store/folder.ts";

/** Sets XDG_CONFIG_HOME to a folder of the test's own. */
export async function withConfig(use: (folder: string) => void | Promise<void>): Promise<void> {
  const before = Deno.env.get("XDG_CONFIG_HOME");
  await inFolder(async (folder) => {
    Deno.env.set("XDG_CONFIG_HOME", folder);
    try {
      await use(folder);
    } finally {
      if (before === undefined) Deno.env.delete("XDG_CONFIG_HOME");
      else Deno.env.set("XDG_CONFIG_HOME", before);
    }
  });
}
