/** How a node calls Sluice in a test: by the same permissions as the task, from any folder. */
import { join } from "node:path";
import { shellWords } from "../../../src/base/shell_words.ts";
import { home, permissions } from "../../cli/command_line.ts";

/** Words of a shell. */
export const sluiceOnNodes = shellWords([
  Deno.execPath(),
  "run",
  "--config",
  join(home, "deno.json"),
  "--quiet",
  ...permissions,
  join(home, "src/cli/main.ts"),
]);
