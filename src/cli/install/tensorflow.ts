/**
 * Builds the binding of tfjs-node against a current TensorFlow, into `.sluice/tensorflow`, and proves
 * it with a gradient: `sluice install tensorflow [--gpu]`.
 *
 * The npm package ships the source of its binding, and TensorFlow's wheel the library and headers
 * that it needs, so that neither has to offer a prebuilt binary for this machine. Wanted: npm,
 * Python 3 with pip, and a C++17 compiler.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { denoPath, moduleArgument, moduleBeside } from "../../base/deno_command.ts";
import { command, installing, installLocked, unpackWheel } from "./pinned.ts";

const folder = fileURLToPath(new URL("../../../.sluice/tensorflow", import.meta.url));

interface Flavour {
  readonly npm: string;
  /** Name, version and hashes. */
  readonly wheel: string;
}

const flavours: Readonly<Record<"cpu" | "gpu", Flavour>> = {
  cpu: { npm: "@tensorflow/tfjs-node", wheel: "tensorflow_cpu.txt" },
  gpu: { npm: "@tensorflow/tfjs-node-gpu", wheel: "tensorflow_gpu.txt" },
};

async function install(): Promise<void> {
  const flavour = flavours[Deno.args.includes("--gpu") ? "gpu" : "cpu"];
  console.log(`1/4  ${flavour.npm} and the headers of Node-API`);
  await installLocked("tensorflow", folder);
  console.log("2/4  TensorFlow: about 260 MB to load, 1.3 GB unpacked");
  const into = join(folder, "wheel");
  await unpackWheel(flavour.wheel, into);
  await compileBinding(flavour, join(into, "tensorflow"));
  await proveGradient();
  console.log(`Done. Choose it in a pipeline: policy = { backend = "tensorflow" }`);
}

async function compileBinding({ npm }: Flavour, library: string): Promise<void> {
  console.log("3/4  compiling the binding");
  const source = join(folder, "node_modules", npm);
  const out = join(source, "lib", "napi-v8");
  Deno.mkdirSync(out, { recursive: true });
  const headers = join(folder, "node_modules", "node-api-headers", "include");
  await command("g++", [
    ...["-O2", "-fPIC", "-shared", "-std=c++17", "-DNAPI_VERSION=8"],
    ...[`-I${headers}`, `-I${join(library, "include")}`, `-I${source}`],
    ...["-o", join(out, "tfjs_binding.node")],
    ...["tfjs_backend.cc", "tfjs_binding.cc"].map((name) => join(source, "binding", name)),
    ...[`-L${library}`, "-l:libtensorflow_cc.so.2", "-l:libtensorflow_framework.so.2"],
    "-Wl,-rpath,$ORIGIN/../../../../../wheel/tensorflow", // so that the folder may move
  ], "install a C++17 compiler (g++)");
}

/** Opens the backend as a stage does, and checks d Σx² / dx = 2x. */
async function proveGradient(): Promise<void> {
  console.log("4/4  proving it with a gradient");
  const module = moduleArgument(moduleBeside("../../gfn/tensor/backend.ts", import.meta.url));
  const program = `
    const { openBackend } = await import(${JSON.stringify(module)});
    const { tf } = await openBackend("tensorflow");
    const slope = await tf.grad((x) => tf.sum(tf.square(x)))(tf.tensor1d([1, 2, 3])).data();
    if (slope.join() !== "2,4,6") throw new Error("wrong gradient: " + slope.join());
    console.log("     d sum(x * x) / dx at 1, 2, 3 is " + slope.join(", "));`;
  await command(denoPath(), ["eval", program], "report this with the output above");
}

if (import.meta.main) await installing("native TensorFlow", folder, install);
