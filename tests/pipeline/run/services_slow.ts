/** Services are injected: the runner passes requests on, whatever they are about. */
import assert from "node:assert/strict";
import { MachineFailure, type Service } from "../../../src/pipeline/contract/service.ts";
import { withProject } from "./project.ts";

const pipeline = (service = "oracle") => `
format = 1
[stages.one]
kind = "asks"
service = "${service}"
`;

interface Asked {
  readonly key: string;
  readonly table: Readonly<Record<string, number>>;
}

/** A service that looks keys up in the table of the request, and says what it was asked. */
function oracle(digest = "o", failures = 0) {
  const asked: Asked[] = [];
  const events: string[] = [];
  const answer = (request: unknown) => {
    if (failures-- > 0) return Promise.reject(new MachineFailure("the lights went out"));
    const one = request as Asked;
    asked.push(one);
    return Promise.resolve(one.table[one.key]);
  };
  const service: Service = {
    ...{ name: "oracle", title: "the oracle", digest: () => digest },
    open: () => {
      events.push("open");
      const counts = { executed: 0, recalled: 0 };
      return {
        session: ({ append }) => {
          append("event", [{ kind: "oracle", message: "asked" }]);
          return { counts, answer };
        },
        close: () => Promise.resolve(void events.push("close")),
      };
    },
  };
  return { service, asked, events };
}

Deno.test("a stage asks a service that whoever runs it provides; the same object is sent once", () =>
  withProject(async (project) => {
    const { service, asked, events } = oracle();
    const outcome = await project.run(pipeline(), { services: [service] });
    assert.equal(outcome.exitCode, 0);
    assert.deepEqual(asked.map(({ key }) => key), ["a", "b"]);
    assert.deepEqual(asked[0].table, { a: 1, b: -Infinity });
    assert.equal(asked[0].table, asked[1].table);
    assert.deepEqual(events, ["open", "close"]);
    const sql = "select stage, message from event where kind = 'oracle'";
    assert.deepEqual(await project.query(outcome.runId, sql), [["one", "asked"]]);
  }));

Deno.test("another digest of a service runs its stages again, and the plan says why", () =>
  withProject(async (project) => {
    const run = async (digest: string) => {
      const reasons: string[] = [];
      const planned = (stages: readonly { readonly reason: string }[]) =>
        void reasons.push(...stages.map(({ reason }) => reason));
      const services = [oracle(digest).service];
      const { stages } = await project.run(pipeline(), { services, observer: { planned } });
      return [stages[0].status, ...reasons];
    };
    assert.deepEqual(await run("o"), ["done", "never done here"]);
    assert.equal((await run("o"))[0], "cached");
    assert.deepEqual(await run("p"), ["done", "the oracle changed"]);
  }));

Deno.test("a failure of the machine's is another attempt; a service that is not declared, an error", () =>
  withProject(async (project) => {
    const tried = await project.run(pipeline(), { services: [oracle("o", 1).service] });
    assert.deepEqual([tried.exitCode, tried.stages[0].attempts], [0, 2]);
    const undeclared = await project.run(pipeline("judge"), { services: [oracle().service] });
    assert.match(undeclared.stages[0].fault!.message, /does not declare: add uses: \["judge"\]/);
  }));

Deno.test("a service that nobody provides is the user's mistake, before anything runs", () =>
  withProject(async (project) => {
    const message = /stage "one": it asks the service "oracle", which is not here/;
    await assert.rejects(project.run(pipeline(), { services: [] }), message);
  }));

Deno.test("a service has the last word: what it found wrong fails the run", () =>
  withProject(async (project) => {
    const { service } = oracle();
    const check = { name: "the oracle's words", passed: false, found: "a lie" };
    const own: Service = {
      ...service,
      open: (run) => ({ ...service.open(run), checks: () => [check] }),
    };
    const outcome = await project.run(pipeline(), { services: [own] });
    assert.deepEqual([outcome.exitCode, outcome.status], [1, "failed"]);
    assert.deepEqual(outcome.checks, [{ ...check, sql: "" }]);
  }));
