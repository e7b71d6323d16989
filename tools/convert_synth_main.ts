/** Converts a training file of synth-ai into a pipeline: `deno task convert:synth FILE.toml [OUT.toml]`. */
import { InputError } from "../src/base/diagnostic.ts";
import { convertSynth } from "./convert_synth/convert_synth.ts";

const [file, out, ...more] = Deno.args;
if (file === undefined || file.startsWith("-") || more.length > 0) {
  console.error("usage: deno task convert:synth FILE.toml [OUT.toml]; without OUT it is printed");
  Deno.exit(2);
}
try {
  const { pipeline, leftOut } = convertSynth(Deno.readTextFileSync(file), file);
  if (out === undefined) console.log(pipeline);
  else Deno.writeTextFileSync(out, pipeline, { createNew: true });
  for (const one of leftOut) console.error(`left out: ${one}`);
} catch (error) {
  const isKnown = error instanceof InputError || error instanceof Deno.errors.NotFound ||
    error instanceof Deno.errors.AlreadyExists;
  if (!isKnown) throw error;
  console.error(`${file}: ${error.message}`);
  if (error instanceof InputError) console.error(`  mend: ${error.diagnostics[0].hint}`);
  Deno.exit(2);
}
