/** Curves of the page of `sluice watch`: one that is no number any more says so, and one that never was is there. */
import assert from "node:assert/strict";
import { runViewOf } from "../../src/cli/watch/run_view.ts";
import { sparkline } from "../../src/cli/watch/sparkline.ts";
import { RunStore } from "../../src/pipeline/store/run_store.ts";
import { temporaryFolder } from "../temporary_folder.ts";

Deno.test("a curve ends with its last number, or with what came after", () => {
  const points = [1, 2, 4].map((value, i) => ({ step: i + 1, value }));
  assert.match(`${sparkline("loss", points).text}`, /<b>loss<\/b> step 3: 4.*; 1.* to 4/);
  const gone = sparkline("loss", [...points, { step: 4, value: NaN }]).text;
  assert.match(gone, /<b class="failed">step 4: NaN<\/b>; 1.* to 4/);
  const never = sparkline("loss", [{ step: 1, value: -Infinity }]).text;
  assert.match(never, /<b class="failed">step 1: -Infinity<\/b><\/figcaption>/);
});

Deno.test("curves that do not move are left out, those that are no number are not", async () => {
  const store = await RunStore.create(temporaryFolder(), "r");
  for (const step of [1, 2, 3]) {
    const values = { still: 7, moves: step, never: NaN, gone: step > 2 ? NaN : 7 };
    const rows = Object.entries(values).map(([name, value]) => ({ name, value, wall: 0 }));
    store.append("metric", rows, { stage: "train.learn", step });
  }
  const { text } = await runViewOf(store.folder, "r", (sql) => store.objects(sql));
  const shown = [...text.matchAll(/<b>train\.learn (\w+)<\/b>/g)].map(([, name]) => name);
  assert.deepEqual(shown, ["gone", "moves", "never"]);
  await store.close();
});
