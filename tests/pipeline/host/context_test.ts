/** What a stage says of its progress reaches the runner, though not every word of it. */
import assert from "node:assert/strict";
import { Host, stageContext } from "../../../src/pipeline/host/context.ts";
import type { Link } from "../../../src/pipeline/host/link.ts";
import type { FromStage, UnitJob } from "../../../src/pipeline/process/messages.ts";

/** A host whose runner answers at once, and what it was sent. */
function heardBy() {
  const sent: FromStage[] = [];
  const link = {
    send: (message: FromStage) => void sent.push(message),
    ask: () => Promise.resolve([]),
  };
  const host = new Host(link as unknown as Link, "rank", 1, new Map());
  const context = stageContext(host, { name: "rank" } as UnitJob, { step: 0, steps: 1 });
  const said = () => sent.flatMap((one) => one.type === "progress" ? [one.status.then] : []);
  return { context, said };
}

Deno.test("what is said just after something else is sent before the stage waits", async () => {
  const { context, said } = heardBy();
  for (const then of ["first", "second", "third"]) context.progress({ then });
  assert.deepEqual(said(), ["first"]);
  await context.execute({ programs: ["a"], dataset: "data" } as never);
  assert.deepEqual(said(), ["first", "third"]);
  await context.ask("oracle", {});
  assert.deepEqual(said(), ["first", "third"]); // nothing new
});
