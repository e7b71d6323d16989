/** Reports of a stage's progress reach the runner, though not every one. */
import assert from "node:assert/strict";
import { Host, stageContext } from "../../../src/pipeline/host/context.ts";
import type { Link } from "../../../src/pipeline/host/link.ts";
import type { FromStage, UnitJob } from "../../../src/pipeline/process/messages.ts";

function contextOf(kind: { readonly kind: string; readonly random?: boolean }, host: Host) {
  return stageContext(host, { name: "rank" } as UnitJob, { step: 0, steps: 1 }, kind);
}

/** A host whose runner answers at once, and what it was sent. */
function heardBy() {
  const sent: FromStage[] = [];
  const link = {
    send: (message: FromStage) => void sent.push(message),
    ask: () => Promise.resolve([]),
  };
  const host = new Host(link as unknown as Link, "rank", 1, new Map());
  const context = contextOf({ kind: "rank" }, host);
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

Deno.test("a kind that does not declare it draws no random numbers, whose seed no fingerprint would have", () => {
  const host = new Host({} as Link, "rank", 1, new Map());
  const drawn = () => contextOf({ kind: "rank", random: true }, host).random("order").uniform();
  assert.equal(drawn(), drawn());
  assert.throws(() => contextOf({ kind: "mine" }, host).random("order"), {
    message: 'stage "rank" draws random numbers ("order"), which its kind "mine" does not ' +
      "declare: add random: true, so that seed and name enter the stage's fingerprint",
  });
});
