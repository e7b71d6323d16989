/** Runs a pipeline of a test project in a process of its own, which tests may kill or interrupt. */
import { interruptControl } from "../../../src/pipeline/run/interrupt.ts";
import { resolvePipeline } from "../../../src/pipeline/read/resolve.ts";
import { findSluiceHome } from "../../../src/pipeline/project/project.ts";
import { runPipeline } from "../../../src/pipeline/run/run.ts";
import { executorService } from "../../../src/executor/service.ts";
import { kindFile, kinds } from "./project.ts";

const [projectRoot, path, ...sets] = Deno.args;
const sluiceRoot = findSluiceHome().root;
const { control, press } = interruptControl();
Deno.addSignalListener("SIGINT", press);
const say = (event: string) => (what: object) => console.log(JSON.stringify({ event, ...what }));
const outcome = await runPipeline(await resolvePipeline({ path, sets, kinds, sluiceRoot }), {
  projectRoot,
  builtInKindFile: kindFile,
  services: [executorService({ root: projectRoot })],
  control,
  observer: { checkpointed: say("checkpointed"), resumed: say("resumed"), warning: say("warning") },
});
const outputs = Object.fromEntries(outcome.stages.map(({ stage, outputs }) => [stage, outputs]));
for (const { stage, fault } of outcome.stages) if (fault) console.error(stage, fault.message);
say("ended")({ runId: outcome.runId, status: outcome.status, outputs });
Deno.exit(outcome.exitCode);
