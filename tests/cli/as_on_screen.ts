/** The command line, in a process whose Node streams say that they are terminals with colours. */
import process from "node:process";
import { WriteStream } from "node:tty";
import { main } from "../../src/cli/main.ts";

for (const stream of [process.stdout, process.stderr]) {
  Object.defineProperty(stream, "isTTY", { value: true });
  Object.defineProperty(stream, "hasColors", { value: WriteStream.prototype.hasColors });
  Object.defineProperty(stream, "getColorDepth", { value: WriteStream.prototype.getColorDepth });
}

Deno.exit(await main(Deno.args));
