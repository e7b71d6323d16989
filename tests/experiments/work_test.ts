/** A worker whose machine lacks what all points need leaves them to others: no point is blamed. */
import assert from "node:assert/strict";
import { MissingPartError } from "../../src/base/diagnostic.ts";
import { makeSweep, workOn, type WorkOptions } from "../../src/experiments/mod.ts";
import { sweepStatus } from "../../src/experiments/sweep/status.ts";
import { thisMachine } from "../../src/pipeline/run/mod.ts";
import { temporaryFolder } from "../temporary_folder.ts";

function sweepOfThree() {
  const root = temporaryFolder();
  const points = [{ n: 1 }, { n: 2 }, { n: 3 }];
  return {
    root,
    sweep: makeSweep(root, "p", { pipeline: "p.toml", overlays: [], sets: [], texts: {}, points }),
  };
}

const lacks: Record<string, WorkOptions["run"]> = {
  "a full disk": () => Promise.reject(new MissingPartError("Cannot write runs", "free space")),
  "a lower level of the sandbox": () =>
    Promise.resolve({
      status: "interrupted",
      lacking: "target: wanted L3, and this machine has L2",
    }),
};

for (const [name, run] of Object.entries(lacks)) {
  Deno.test(`a node with ${name} ends, and another does all points`, async () => {
    const { root, sweep } = sweepOfThree();
    const options = {
      root,
      sweep,
      workers: 1,
      machine: thisMachine(),
      stop: new AbortController().signal,
    };
    const came = await workOn({ ...options, run });
    assert.match(came.lacking ?? "", /Cannot write runs|wanted L3/);
    assert.deepEqual([came.done, came.failed, came.left], [0, 0, 3]);
    const states = () => sweepStatus(root, sweep).map(({ state }) => state);
    assert.ok(!states().includes("failed"), states().join());
    const other = await workOn({
      ...options,
      run: () => Promise.resolve({ status: "done", run: "r" }),
    });
    assert.equal(other.done, 3);
    assert.deepEqual(states(), Array(3).fill("done"));
  });
}
