/** Installers of native code: every package has a hash, and other bytes are refused. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { InstallError, requireIntegrity } from "../../src/cli/install/pinned.ts";

const folder = new URL("../../src/cli/install/", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, folder), "utf8");

Deno.test("every wheel is of one version, and has hashes alone", () => {
  const files = readdirSync(folder).filter((name) => name.endsWith(".txt"));
  assert.equal(files.length, 3);
  for (const file of files) {
    const lines = read(file).trim().split("\n").filter((line) => !line.startsWith("#"));
    assert.match(lines[0], /^[\w-]+==[\d.]+ \\$/, file);
    assert.ok(lines.length > 4, file);
    for (const line of lines.slice(1)) assert.match(line, /^ {4}--hash=sha256:[0-9a-f]{64}( \\)?$/);
  }
});

Deno.test("every package of a lock has an integrity, and names no host", () => {
  for (const name of ["llama", "tensorflow"]) {
    const { packages } = JSON.parse(read(`${name}/package-lock.json`));
    const own = Object.entries(packages).filter(([path]) => path !== "");
    assert.ok(own.length > 50);
    for (const [path, { integrity, resolved }] of own as [string, Record<string, string>][]) {
      assert.match(integrity ?? "", /^sha512-|^sha1-/, path);
      assert.equal(resolved, undefined, path);
    }
  }
});

Deno.test("other bytes than were pinned are refused, with what to do", () => {
  const bytes = new TextEncoder().encode("a package");
  const wanted =
    "sha512-aYBc8Hd0uSBfWrUe+MYVhVBCo5RJrEGbKMcFGRzL0J4nqmy8qPvHXzRtdUHbTWoKoyOv1dvdrnQa2dKn8fSnYg==";
  assert.throws(() => requireIntegrity("x@1", bytes, wanted), (error) => {
    assert.ok(error instanceof InstallError);
    assert.match(error.message, /^x@1 has the integrity sha512-\S+, wanted sha512-aYBc/);
    assert.match(error.remedy, /exchanged/);
    return true;
  });
});
