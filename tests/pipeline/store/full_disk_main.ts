/** Fills the disk below a folder, before a run's database is made or while it is written. */
import { join } from "node:path";
import { MissingPartError } from "../../../src/base/diagnostic.ts";
import { RunStore } from "../../../src/pipeline/store/run_store.ts";
import { ulid } from "../../../src/pipeline/basics/ulid.ts";

const [root, kase] = Deno.args;
try {
  if (kase === "create") {
    fillUp();
    await RunStore.create(root, ulid());
  } else {
    const store = await RunStore.create(root, ulid());
    for (let step = 0;; step++) {
      const rows = Array.from({ length: 2000 }, () => ({ name: crypto.randomUUID(), value: step }));
      store.append("metric", rows, { stage: "train", step });
      await store.flush();
    }
  }
} catch (error) {
  const remedy = error instanceof MissingPartError ? error.remedy : "";
  console.log(`${error}\n${remedy}`);
}
Deno.exit(0);

function fillUp(): void {
  const file = Deno.openSync(join(root, "filler"), { write: true, create: true });
  try {
    for (;;) file.writeSync(new Uint8Array(4096));
  } catch {
    file.close();
  }
}
