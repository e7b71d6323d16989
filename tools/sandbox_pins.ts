/** Prints the digests of filter and launcher for tests/golden/sandbox_pins.json. */
import { sha256 } from "../src/base/digest.ts";
import { launcherImage } from "../src/sandbox/launcher_image.ts";
import { encodedFilter } from "../src/sandbox/seccomp_filter.ts";
import { architectures } from "../src/sandbox/syscall_numbers.ts";

const pins = architectures.map((arch) => [
  arch,
  { filter: sha256(encodedFilter({ arch }).bytes), launcher: sha256(launcherImage(arch)) },
]);
const comment = "deno run tools/sandbox_pins.ts > tests/golden/sandbox_pins.json";
console.log(JSON.stringify({ comment, ...Object.fromEntries(pins) }, null, 2));
