/** `sluice watch` answers its own page alone: by token, host and origin. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { overviewOf } from "../../src/cli/watch/overview.ts";
import { serveWatch } from "../../src/cli/watch/serve.ts";
import { temporaryFolder } from "../temporary_folder.ts";

/** Status of a request to a watch over an empty project, with headers as a browser would send them. */
async function statusOf(
  path: string,
  { method = "GET", host, origin }: { method?: string; host?: string; origin?: string } = {},
): Promise<number> {
  const root = temporaryFolder();
  Deno.mkdirSync(join(root, "runs"));
  const watching = await serveWatch(root, { port: 0, token: "a-token", every: 50 });
  const { hostname, port, pathname, search, host: own } = new URL(path, watching.url);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  const lines = [
    `${method} ${pathname}${search} HTTP/1.1`,
    `Host: ${host ?? own}`,
    ...origin ? [`Origin: ${origin}`] : [],
    "",
    "",
  ];
  await connection.write(new TextEncoder().encode(lines.join("\r\n")));
  const bytes = new Uint8Array(64);
  await connection.read(bytes);
  await watching.close();
  Deno.removeSync(root, { recursive: true });
  return Number(/^HTTP\/1.1 ([0-9]{3})/.exec(new TextDecoder().decode(bytes))?.[1]);
}

Deno.test("the page and its events are for who has the token, of this machine, by its own name", async () => {
  assert.equal(await statusOf(""), 200);
  assert.equal(await statusOf("events?run="), 200);
  assert.equal(await statusOf("/"), 404);
  assert.equal(await statusOf("/other-token/"), 404);
  assert.equal(await statusOf("runs"), 404);
  assert.equal(await statusOf("", { method: "POST" }), 404);
  assert.equal(await statusOf("", { origin: "http://example.org" }), 404);
  assert.equal(await statusOf("", { host: "example.org" }), 404, "DNS rebinding");
});

Deno.test("an empty project, a run that is not there and a run without a word are views, not faults", async () => {
  const root = temporaryFolder();
  Deno.mkdirSync(join(root, "runs", "01J00000000000000000000000"), { recursive: true });
  const watching = await serveWatch(root, { port: 0, token: "a-token", every: 50 });
  for (const run of ["", "01J00000000000000000000000", "../../etc/passwd"]) {
    const answer = await fetch(`${watching.url}events?run=${encodeURIComponent(run)}`);
    const { value = "" } = await answer.body!.pipeThrough(new TextDecoderStream()).getReader()
      .read();
    const view = JSON.parse(value.replace(/^data: /, ""));
    assert.ok(view.overview.includes("01J00000000000000000000000"), value);
    assert.ok(!value.includes("root:"), value);
  }
  await watching.close();
  Deno.removeSync(root, { recursive: true });
});

Deno.test("a run of a sweep is shown with its point and what that sets", () => {
  const root = temporaryFolder();
  const put = (path: string, value: unknown) => {
    Deno.mkdirSync(join(root, path, ".."), { recursive: true });
    Deno.writeTextFileSync(join(root, path), JSON.stringify(value));
  };
  put("sweeps/grid-1/sweep.json", {
    format: 1,
    sweep: "grid-1",
    points: [{ seed: 0 }, { seed: 7 }],
  });
  const marks = { sweep: "grid-1", point: 1 };
  const word = { name: "grid", status: "done", started_at: "2026-01-01T00:00:00Z", marks };
  put("runs/01J00000000000000000000000/run.json", word);
  assert.match(overviewOf(root, "").text, />grid #1 seed=7</);
  Deno.removeSync(root, { recursive: true });
});

Deno.test("a port that is taken is an error with a way out", async () => {
  const root = temporaryFolder();
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  await assert.rejects(serveWatch(root, { port, token: "t", every: 50 }), /port [0-9]+: Address/);
  Deno.removeSync(root, { recursive: true });
});
