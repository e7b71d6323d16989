/** A supervisor to be killed: a program in a container that sleeps. */
import type { ContainerEngine } from "../../../src/sandbox/container/engine.ts";
import { ContainerPython } from "../../../src/sandbox/container_python.ts";

const [engine, image, script, runtime] = Deno.args;
await new ContainerPython({ engine: engine as ContainerEngine, image, runtime }).run({ script });
