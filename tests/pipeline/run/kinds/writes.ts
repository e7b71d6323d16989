/** Kind of a test that writes what no stage should, or nothing. */
import { z } from "zod";
import { defineStage } from "../../../../src/pipeline/contract/stage.ts";
import { number } from "./ports.ts";

const noise = new TextEncoder().encode("\u0000 no message\n".repeat(100));
const megabyte = new TextEncoder().encode("y".repeat(1 << 20));

export default defineStage({
  kind: "writes",
  version: 1,
  description: "Writes garbage to standard output, nothing, or a log without end.",
  params: z.strictObject({ what: z.enum(["garbage", "nothing", "log"]) }),
  inputs: {},
  outputs: { value: number },
  async run(_context, _inputs, { what }) {
    if (what === "garbage") await Deno.stdout.write(noise);
    if (what === "log") { for (let k = 0; k < 80; k++) await Deno.stderr.write(megabyte); }
    const given: unknown = what === "nothing" ? undefined : { value: 1 };
    return given as { value: number };
  },
});
