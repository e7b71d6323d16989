/**
 * Builds the binding of tfjs-node against a current TensorFlow, into `.sluice/tensorflow`, and proves
 * it with a gradient: `deno task tensorflow:install [--gpu]`.
 *
 * The npm package ships the source of its binding, and TensorFlow's wheel the library and headers
 * that it needs, so that neither has to offer a prebuilt binary for this machine. Wanted: npm,
 * Python 3 with pip, and a C++17 compiler.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const versions = { tfjs: "4.22.0", tensorflow: "2.21.0", nodeApi: "1.9.0" } as const;

const folder = fileURLToPath(new URL("../.sluice/tensorflow", import.meta.url));

interface Flavour {
  readonly npm: string;
  readonly wheel: string;
}

const flavours: Readonly<Record<"cpu" | "gpu", Flavour>> = {
  cpu: { npm: "@tensorflow/tfjs-node", wheel: "tensorflow-cpu" },
  gpu: { npm: "@tensorflow/tfjs-node-gpu", wheel: "tensorflow" },
};

async function main(): Promise<void> {
  const flavour = flavours[Deno.args.includes("--gpu") ? "gpu" : "cpu"];
  const unknown = Deno.args.find((arg) => arg !== "--gpu");
  if (unknown) fail(`unknown flag ${unknown}`, "usage: deno task tensorflow:install [--gpu]");
  rmSync(folder, { recursive: true, force: true });
  Deno.mkdirSync(folder, { recursive: true });
  await installPackages(flavour);
  const library = await unpackWheel(flavour);
  await compileBinding(flavour, library);
  await proveGradient();
  console.log(`Done. Choose it in a pipeline: policy = { backend = "tensorflow" }`);
}

async function installPackages({ npm }: Flavour): Promise<void> {
  console.log(`1/4  ${npm} ${versions.tfjs} and the headers of Node-API`);
  const packages = [`${npm}@${versions.tfjs}`, `node-api-headers@${versions.nodeApi}`];
  const flags = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", folder];
  await command("npm", [...flags, ...packages], "install Node.js with npm");
}

/** Returns the folder of TensorFlow's libraries and headers. */
async function unpackWheel({ wheel }: Flavour): Promise<string> {
  console.log(`2/4  ${wheel} ${versions.tensorflow}: about 260 MB to load, 1.3 GB unpacked`);
  const into = join(folder, "wheel");
  const flags = ["-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "-d", into];
  const python = "install Python 3 with pip";
  await command("python3", [...flags, `${wheel}==${versions.tensorflow}`], python);
  const file = [...Deno.readDirSync(into)].find(({ name }) => name.endsWith(".whl"));
  if (!file) fail(`pip left no wheel in ${into}`, "try again");
  await command("python3", ["-m", "zipfile", "-e", join(into, file.name), into], python);
  Deno.removeSync(join(into, file.name));
  return join(into, "tensorflow");
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
  const module = new URL("../src/gfn/tensor/backend.ts", import.meta.url).href;
  const program = `
    const { openBackend } = await import(${JSON.stringify(module)});
    const { tf } = await openBackend("tensorflow");
    const slope = await tf.grad((x) => tf.sum(tf.square(x)))(tf.tensor1d([1, 2, 3])).data();
    if (slope.join() !== "2,4,6") throw new Error("wrong gradient: " + slope.join());
    console.log("     d sum(x * x) / dx at 1, 2, 3 is " + slope.join(", "));`;
  await command("deno", ["eval", program], "report this with the output above");
}

async function command(name: string, args: readonly string[], remedy: string): Promise<void> {
  const env = { TF_CPP_MIN_LOG_LEVEL: "3" };
  try {
    const child = new Deno.Command(name, { args: [...args], env, stdin: "null" }).spawn();
    if ((await child.status).success) return;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  fail(`${name} is missing or has failed`, remedy);
}

function fail(what: string, remedy: string): never {
  console.error(`Cannot install native TensorFlow: ${what}\n  mend: ${remedy}`);
  Deno.exit(3);
}

if (import.meta.main) await main();
