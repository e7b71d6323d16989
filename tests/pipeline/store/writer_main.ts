/** A process that writes a row of a run, says so, and waits to be killed. */
import { RunStore } from "../../../src/pipeline/store/run_store.ts";

const [root, runId] = Deno.args;
const store = await RunStore.create(root, runId);
store.append("metric", [{ name: "a", value: 1 }], { stage: "train", step: 1 });
await store.flush();
console.log("flushed");
setInterval(() => {}, 1000);
