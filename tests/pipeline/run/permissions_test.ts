/** Permissions of a stage's process where a policy asks for a native library. */
import assert from "node:assert/strict";
import { declarationOf } from "../../../src/pipeline/read/declaration.ts";
import { modelsNamed } from "../../../src/pipeline/contract/model_param.ts";
import type { ResolvedStage } from "../../../src/pipeline/read/resolved.ts";
import {
  deniedAccess,
  grantFlags,
  lineToAdd,
  nativeBackendsOf,
  stageGrants,
} from "../../../src/pipeline/process/permissions.ts";
import { projectLayout } from "../../../src/pipeline/project/project.ts";
import { kinds } from "./project.ts";

const layout = projectLayout("/project");
const home = { root: "/sluice", host: "/sluice/host.ts" };

function stage(tensors: boolean, backend?: string): ResolvedStage {
  const declaration = { ...declarationOf(kinds.get("adder")!), tensors };
  return {
    ...{ name: "start", kind: "adder", declaration, rawParams: {}, inputs: {}, wired: {} },
    ...{ params: backend ? { policy: { kind: "mlp", backend } } : {} },
    ...{ files: [], modules: [], retries: 0 },
  } as ResolvedStage;
}

Deno.test("a library is granted to the stages that compute with tensors, once any stage asks", () => {
  const asking = stage(true, "blas");
  const loop = { ...stage(true), loop: { stages: [asking] } } as unknown as ResolvedStage;
  assert.deepEqual(nativeBackendsOf([stage(false), loop]), ["blas"]);
  assert.deepEqual(nativeBackendsOf([stage(true, "fused"), stage(true)]), []);
  assert.deepEqual(nativeBackendsOf([stage(true, "blas"), stage(true, "tensorflow")]), [
    "tensorflow",
    "blas",
  ]);
  const reader = stageGrants(stage(true), layout, home, { native: ["blas"] });
  assert.deepEqual(reader.ffi, ["*"]);
  assert.deepEqual(reader.env, ["OPENBLAS_CORETYPE"]);
  assert.ok(reader.read.includes("/proc/cpuinfo"));
  const gpu = stageGrants(stage(true), layout, home, {
    native: nativeBackendsOf([stage(true, "cuda")]),
  });
  assert.deepEqual([gpu.ffi, gpu.env], [["*"], ["OPENBLAS_CORETYPE"]]);
  assert.ok(["blas", "cuda"].every((one) => gpu.read.includes(`/sluice/.sluice/${one}`)));
  assert.deepEqual(stageGrants(stage(false), layout, home, { native: ["blas"] }).ffi, []);
  assert.deepEqual(stageGrants(stage(true), layout, home).ffi, []);
});

Deno.test("models may be read once a stage names one", () => {
  const models = ["/project/.sluice/models"];
  assert.deepEqual(stageGrants(stage(true), layout, home, { models }).sys, ["systemMemoryInfo"]);
  assert.ok(stageGrants(stage(true), layout, home, { models }).read.includes(models[0]));
  assert.deepEqual(stageGrants(stage(false), layout, home, { models }).read, models);
  assert.deepEqual(stageGrants(stage(false), layout, home).read, []);
  const paramsJsonSchema = { properties: { model: { type: "string", format: "model-name" } } };
  const { declaration } = stage(false);
  const naming = {
    ...stage(false),
    declaration: { ...declaration, paramsJsonSchema },
    params: { model: "tiny" },
  };
  assert.deepEqual(modelsNamed(naming), ["tiny"]);
});

Deno.test("grants become flags: all values of a permission, or a list with commas doubled", () => {
  const none = { read: [], net: [], env: [], sys: [], ffi: [] };
  assert.deepEqual(grantFlags(none), []);
  assert.deepEqual(grantFlags({ ...none, read: ["/a,b", "/c"], ffi: ["*"] }), [
    "--allow-read=/a,,b,/c",
    "--allow-ffi",
  ]);
});

Deno.test("a denied access is read, and the line that would have allowed it is said", () => {
  const denied = deniedAccess('Requires read access to "/etc/hosts", run again with …');
  assert.deepEqual(denied, { permission: "read", value: "/etc/hosts" });
  assert.equal(lineToAdd(denied!), 'permissions: { read: ["/etc/hosts"] }');
  assert.equal(deniedAccess("something else"), undefined);
});
