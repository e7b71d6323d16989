/** Tests of what stages ask for, what lies outside a project, and what a yes covers. */
import assert from "node:assert/strict";
import { InputError } from "../../../src/base/diagnostic.ts";
import {
  asksOf,
  consentFlag,
  describeAsks,
  isGranted,
  readAsks,
  requireConsent,
  type StageAsks,
} from "../../../src/pipeline/plan/consent.ts";
import { findSluiceHome, projectLayout } from "../../../src/pipeline/project/project.ts";
import type { PreparedStage } from "../../../src/pipeline/plan/preparation.ts";
import type { ResolvedStage } from "../../../src/pipeline/read/resolved.ts";
import { temporaryFolder } from "../../temporary_folder.ts";

const root = Deno.realPathSync(temporaryFolder());
Deno.mkdirSync(`${root}/data`);
Deno.symlinkSync("/etc", `${root}/link`);
const [layout, home] = [projectLayout(root), findSluiceHome()];

function stage(permissions: object, files: readonly string[] = []): ResolvedStage {
  const named = files.map((path) => ({ param: "path", path }));
  return {
    ...{ name: "fetch", kind: "./fetch.ts", declaration: { permissions }, files: named },
    ...{ params: {}, modules: [], inputs: {}, wired: {} },
  } as never;
}

function asks(permissions: object, files?: readonly string[]): StageAsks | undefined {
  return asksOf([stage(permissions, files)], layout, home)[0];
}

const outside = (permissions: object, files?: readonly string[]) =>
  asks(permissions, files)?.asks.filter((ask) => ask.outside).map(({ value }) => value) ?? [];

Deno.test("files of the project are its own; others, links that lead out and parents are not", () => {
  assert.deepEqual(outside({ read: ["data", ".", `${root}/data`] }), []);
  assert.equal(outside({ read: ["/etc", "link", "..", "../x", "*"] }).length, 5);
});

Deno.test("hosts, variables and native code are outside wherever they are", () => {
  assert.equal(outside({ net: ["example.org"], env: ["TOKEN"], ffi: ["./data"] }).length, 3);
  assert.deepEqual(outside({ ffi: ["/usr/lib"] }), ["/usr/lib"]);
});

Deno.test("a file that a parameter names is asked for where it lies outside", () => {
  assert.deepEqual(outside({}, [`${root}/data/x.csv`]), []);
  assert.deepEqual(outside({}, ["/etc/shadow"]), ["/etc/shadow"]);
  const [trusted] = asksOf([stage({}, ["/etc/shadow"])], layout, home, new Map(), ["/etc"]);
  assert.equal(trusted?.asks[0].outside, undefined, "the user trusts the folder");
  assert.deepEqual(outside({}, [`${home.root}/data/dugongs.csv`]), []);
});

Deno.test("a file that the code imports from elsewhere is asked for", () => {
  const files = [
    "/etc/passwd",
    `${root}/fetch.ts`,
    `${home.root}/mod.ts`,
    `${root}/node_modules/a/b.js`,
  ];
  const prepared = new Map([["fetch", { modules: "abc", files } as unknown as PreparedStage]]);
  const [found] = asksOf([stage({})], layout, home, prepared);
  assert.deepEqual(found.asks, [{ permission: "read", value: "/etc/passwd", outside: true }]);
  assert.equal(found.module, "abc");
});

Deno.test("a yes covers the same, all, and what lies below; nothing beside", () => {
  const covers = (granted: string, asked: string) =>
    isGranted(readAsks(granted), readAsks(asked)[0]);
  for (
    const [granted, asked] of [
      ["read:/etc", "read:/etc/hosts"],
      ["net:*", "net:example.org"],
      ["env:A,net:b", "net:b"],
      ["read:/a,b", "read:/a,b"],
    ]
  ) assert.ok(covers(granted, asked), `${granted} ${asked}`);
  for (
    const [granted, asked] of [
      ["read:/etc/hosts", "read:/etc"],
      ["read:/etc", "read:/etcetera"],
      ["read:/etc", "read:*"],
      ["read:/etc", "ffi:/etc"],
      ["net:example.org", "net:*"],
      ["env:A", "env:AB"],
    ]
  ) assert.ok(!covers(granted, asked), `${granted} ${asked}`);
});

Deno.test("without a yes a stage is refused, with what, where, which code and the flag", async () => {
  const asked = asks({ read: ["/etc", "data"], net: ["*"] })!;
  assert.equal(describeAsks(asked), "read /etc, read data, net *");
  assert.equal(consentFlag(asked), "--allow-stage 'fetch=read:/etc,net:*'");
  const one = { ...asked, module: "0123456789abcdef" };
  await assert.rejects(requireConsent([one]), (error) => {
    assert.ok(error instanceof InputError);
    const [{ code, message, hint }] = error.diagnostics;
    assert.equal(code, "consent/needed");
    assert.match(
      message,
      /"fetch": its kind \.\/fetch\.ts \(code 0123456789ab\) asks for read \/etc, net \*,/,
    );
    assert.match(hint!, /--allow-stage 'fetch=read:\/etc,net:\*'$/);
    return true;
  });
  await requireConsent([one], () => true);
  await requireConsent([asks({ read: ["data"] })!]);
});

Deno.test("code of the user's beside a native library gets what the library needs, if allowed", () => {
  const declaration = { permissions: {}, tensors: true };
  const learn = { ...stage({}), declaration, params: { policy: { backend: "blas" } } };
  const outsideOf = (more: object) =>
    asksOf([{ ...learn, ...more } as never], layout, home)
      .flatMap(({ asks }) => asks.map(({ permission, value }) => `${permission}:${value}`));
  assert.deepEqual(outsideOf({}), [], "Sluice's own code alone");
  const wanted = ["ffi:*", "env:OPENBLAS_CORETYPE"];
  assert.deepEqual(outsideOf({ kindPath: "/p/evil.ts" }), wanted);
  assert.deepEqual(outsideOf({ modules: [{ param: "judge", path: "/p/evil.ts" }] }), wanted);
  const inner = { ...stage({}), kindPath: "/p/evil.ts" };
  assert.deepEqual(outsideOf({ loop: { stages: [inner] } }), wanted);
});
