/** The adapter in an archive of a server: its two files, each tensor of which has to be used. */
import { inputError } from "../../base/diagnostic.ts";
import { sha256 } from "../../base/digest.ts";
import { readTensors } from "../../base/safetensors.ts";

const block = 512;

/** Names of the two files, as PEFT has them. */
const [weights, settings] = ["adapter_model.safetensors", "adapter_config.json"];

/** Contents of an archive. */
interface ArchivedAdapter {
  readonly sha256: string;
  readonly files: Readonly<Record<string, string>>;
}

/**
 * The files of an adapter, with the modules that its tensors adapt written into its settings: SkyRL-tx
 * writes `"target_modules": null`, and PEFT then adapts two maps of seven without a word.
 *
 * @param bytes A tar file, compressed or not.
 * @throws InputError if it is no archive of an adapter of this rank, or half an adapter.
 */
export async function adapterOf(bytes: Uint8Array, rank: number): Promise<ArchivedAdapter> {
  const files = tarFiles(bytes[0] === 0x1f && bytes[1] === 0x8b ? await unzipped(bytes) : bytes);
  const [tensors, config] = [weights, settings].map((name) => {
    const found = files.get(name);
    if (found) return found;
    throw refused(`there is no ${name} in ${[...files.keys()].join(", ") || "it"}`);
  });
  const modules = modulesOf(tensors);
  const said = JSON.parse(new TextDecoder().decode(config)) as Record<string, unknown>;
  if (said.r !== rank) throw refused(`its rank is ${said.r}, and ${rank} was asked for`);
  const whole = JSON.stringify({ ...said, target_modules: modules }, null, 2);
  return {
    sha256: sha256(tensors),
    files: {
      [weights]: tensors.toBase64(),
      [settings]: new TextEncoder().encode(whole).toBase64(),
    },
  };
}

/** The modules that are adapted. @throws InputError unless each has both maps. */
function modulesOf(bytes: Uint8Array): string[] {
  const { tensors } = readTensors({
    size: bytes.length,
    read: (begin, end) => new Uint8Array(bytes.subarray(begin, end)),
  });
  const named = tensors.map(({ name }) => {
    const found = /^base_model\.model\.(.+)\.lora_([AB])\.weight$/.exec(name);
    if (found) return { module: found[1], letter: found[2] };
    throw refused(`tensor "${name}" belongs to no map of an adapter`);
  });
  const of = (letter: string) =>
    new Set(named.filter((one) => one.letter === letter).map(({ module }) => module));
  const [a, b] = [of("A"), of("B")];
  const half = [...a.symmetricDifference(b)][0];
  if (half !== undefined) throw refused(`"${half}" has one map of two`);
  return [...a].sort();
}

async function unzipped(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([new Uint8Array(bytes)]).stream();
  const plain = stream.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}

/** Files of a tar by the last part of their names. */
function tarFiles(bytes: Uint8Array): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const text = (from: number, length: number) =>
    new TextDecoder().decode(bytes.subarray(from, from + length)).replace(/\0.*$/s, "").trim();
  for (let at = 0; at + block <= bytes.length && bytes[at] !== 0;) {
    const [name, size] = [text(at, 100), parseInt(text(at + 124, 12), 8)];
    const isWhole = Number.isFinite(size) && at + block + size <= bytes.length;
    if (!isWhole) throw refused("it breaks off");
    files.set(name.split("/").at(-1)!, bytes.subarray(at + block, at + block + size));
    at += block * (1 + Math.ceil(size / block));
  }
  return files;
}

function refused(what: string) {
  const message = `Cannot take an adapter from a server: ${what}`;
  const hint = "half an adapter is another model: have the server save it again";
  return inputError("trainer/adapter", message, undefined, hint);
}
