/** A supervisor to be killed: a program in a container that sleeps. */
import { ContainerPython } from "../../../src/sandbox/container_python.ts";

const [image, script, runtime] = Deno.args;
await new ContainerPython({ image, runtime }).run({ script });
