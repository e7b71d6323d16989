/** The user's folder of configuration, lent to one test. */
import { join } from "node:path";
import { chooseUserFolder, userFolder } from "../../src/base/user_folder.ts";
import { inFolder } from "../pipeline/store/folder.ts";

/** Makes `sluice` in a folder of the test's own the user's; tests of other files run beside it. */
export async function withConfig(use: (folder: string) => void | Promise<void>): Promise<void> {
  const before = userFolder();
  await inFolder(async (folder) => {
    chooseUserFolder(join(folder, "sluice"));
    try {
      await use(folder);
    } finally {
      chooseUserFolder(before);
    }
  });
}
