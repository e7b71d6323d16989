/** npm installs the versions of deno.lock, checked by their digests, and licences come along. */
import assert from "node:assert/strict";
import { lockedPackages, overridesOf, requireLocked } from "../../tools/pack/locked_packages.ts";
import { isLicence, noticeOf } from "../../tools/pack/notice.ts";

const lock = JSON.parse(Deno.readTextFileSync(new URL("../../deno.lock", import.meta.url)));
const locked = lockedPackages(lock);

Deno.test("deno.lock pins every package by name and version, without its peers", () => {
  assert.ok(locked.size > 100);
  for (const [key, integrity] of locked) {
    assert.match(key, /^(@[^/@]+\/)?[^/@]+@\d[^_]*$/);
    assert.match(integrity, /^sha512-/);
  }
});

Deno.test("overrides name one version each, and no direct dependency", () => {
  const overrides = overridesOf(locked, ["commander"]);
  assert.equal(overrides.commander, undefined);
  for (const [name, version] of Object.entries(overrides)) {
    assert.ok(locked.has(`${name}@${version}`));
  }
});

Deno.test("a moved version and a planted integrity are refused by name", () => {
  const [[key, integrity]] = locked;
  const at = key.lastIndexOf("@");
  const [name, version] = [key.slice(0, at), key.slice(at + 1)];
  const as = (version: string, integrity: string) => ({
    packages: { [`node_modules/${name}`]: { version, integrity } },
  });
  requireLocked(as(version, integrity), locked);
  assert.throws(() => requireLocked(as(`${version}9`, integrity), locked), /not in deno\.lock/);
  assert.throws(() => requireLocked(as(version, "sha512-forged"), locked), /another integrity/);
  requireLocked(as(version, "sha512-forged"), locked, [name.split("/")[0]]);
});

Deno.test("a notice has the text of a licence that is a page, and refuses a package without one", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  assert.ok(isLicence("a/LICENSE.md") && isLicence("@b/c/licence") && !isLicence("a/licensed.js"));
  const notice = noticeOf(
    new Map([
      ["@b/c/package.json", bytes('{ "name": "@b/c", "version": "2.0.0", "license": "ISC" }')],
      ["@b/c/LICENSE.md", bytes("Keep this.")],
    ]),
  );
  assert.match(notice, /@b\/c 2\.0\.0: ISC\n\nKeep this\./);
  const bare = new Map([["a/package.json", bytes('{ "name": "a", "version": "1.0.0" }')]]);
  assert.throws(() => noticeOf(bare), /a 1\.0\.0 says nothing of its licence/);
});
