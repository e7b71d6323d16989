/** Rewrites the messages of `wrong/*.txt`: `deno run -RW=tests/engine/python tests/engine/python/accept_catalogue.ts`. */
import { messageOf, readCases, writeCases } from "./catalogue.ts";

const folder = new URL("./wrong/", import.meta.url);
for (const { name } of Deno.readDirSync(folder)) {
  const file = new URL(name, folder);
  const cases = readCases(Deno.readTextFileSync(file));
  const accepted = cases.map((one) => ({ ...one, message: messageOf(one) }));
  Deno.writeTextFileSync(file, writeCases(accepted));
}
