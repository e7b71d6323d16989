/** Writes tests/golden/bits.json: after a change that is meant to change scores, and then only. */
import { type Bits, rowsOfMainJob, scoreBits } from "./bits.ts";

const bits: Bits = {
  made: "deno run -A tests/reproducibility/bits_main.ts",
  scores: scoreBits(),
  rows: { small: await rowsOfMainJob("@configs/fast.toml"), full: await rowsOfMainJob() },
};
const path = new URL("../golden/bits.json", import.meta.url);
Deno.writeTextFileSync(path, `${JSON.stringify(bits, null, 1)}\n`);
