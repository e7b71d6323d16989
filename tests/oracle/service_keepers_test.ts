/** Services of a run that several ask: one keeper, which ends with the last of them. */
import assert from "node:assert/strict";
import { ServiceKeepers } from "../../src/oracle/server/service_keepers.ts";

const service = {
  ...{ command: ["serve", "{port}"], url: "http://127.0.0.1:8251", health: "/health", wait: 1 },
};
const allowed = (logs: string) => ({
  ...{ hosts: ["127.0.0.1:8251"], commands: ["serve '{port}'"], logs },
});

Deno.test("an oracle and a policy on one service are let in by one token, another run's by another", async () => {
  const [oracles, trainers, others] = ["a", "a", "b"].map((run) =>
    ServiceKeepers.ofRun(allowed(run))
  );
  const { token } = oracles.of(service);
  assert.equal(trainers.of(service).token, token);
  assert.notEqual(others.of(service).token, token);
  await oracles.close();
  assert.equal(trainers.of(service).token, token);
  assert.equal(ServiceKeepers.ofRun(allowed("a")), trainers);
  await trainers.close();
  await trainers.close();
  assert.notEqual(ServiceKeepers.ofRun(allowed("a")).of(service).token, token);
});
