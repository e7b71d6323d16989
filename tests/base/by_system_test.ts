/** Tests of differences between systems: variables of a child, and renames over a file that is open. */
import assert from "node:assert/strict";
import { inheritedEnvironment } from "../../src/base/deno_command.ts";
import { renameOver } from "../../src/base/renamed_over.ts";

const all: Readonly<Record<string, string>> = {
  SystemRoot: "C:\\Windows",
  TEMP: "C:\\T",
  LOCALAPPDATA: "C:\\L",
  API_KEY: "secret",
  PATH: "C:\\bin",
};

Deno.test("a child inherits what Windows needs, and nothing elsewhere", () => {
  const read = (name: string) => all[name];
  assert.deepEqual(inheritedEnvironment("windows", read), {
    SystemRoot: "C:\\Windows",
    TEMP: "C:\\T",
    LOCALAPPDATA: "C:\\L",
  });
  for (const os of ["linux", "darwin"]) assert.deepEqual(inheritedEnvironment(os, read), {});
});

/** A rename that is refused so many times. */
function refusing(times: number, error: Error) {
  const told = { tried: 0, waited: 0 };
  const rename = () => {
    if (told.tried++ < times) throw error;
  };
  return { told, how: { rename, wait: (ms: number) => void (told.waited += ms) } };
}

Deno.test("Windows tries a refused rename again for a second; elsewhere, and of another error, never", () => {
  const open = new Deno.errors.PermissionDenied("open");
  const soon = refusing(3, open);
  renameOver("a", "b", { os: "windows", ...soon.how });
  assert.deepEqual(soon.told, { tried: 4, waited: 150 });
  const never = refusing(99, open);
  assert.throws(() => renameOver("a", "b", { os: "windows", ...never.how }), /open/);
  assert.equal(never.told.tried, 20);
  for (
    const [os, error] of [["linux", open], ["windows", new Deno.errors.NotFound("gone")]] as const
  ) {
    const once = refusing(1, error);
    assert.throws(() => renameOver("a", "b", { os, ...once.how }));
    assert.equal(once.told.tried, 1);
  }
});
