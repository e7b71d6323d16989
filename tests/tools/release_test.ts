/** A release is a committed, tagged checkout whose notes have its version; each fault is named. */
import assert from "node:assert/strict";
import { digestLines, notesOf, releaseFindings } from "../../tools/release.ts";
import { read } from "../docs/markdown.ts";

const changelog =
  "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] – 2027-01-01\n\n- new\n\n## [0.1.0]\n\n- old\n";
const sound = { version: "0.2.0", changelog, changes: "", tags: ["v0.2.0"] };

Deno.test("a committed and tagged checkout with notes is a release", () => {
  assert.deepEqual(releaseFindings(sound), []);
  assert.equal(notesOf(changelog, "0.2.0"), "- new");
});

Deno.test("each thing that a release lacks is named", () => {
  const faults = (part: object) => releaseFindings({ ...sound, ...part }).join();
  assert.match(faults({ changes: " M a.ts" }), /not committed:\n M a\.ts/);
  assert.match(faults({ version: "0.3.0" }), /no notes of 0\.3\.0.*no tag: git tag -a v0\.3\.0/);
  const waiting = changelog.replace("[Unreleased]\n", "[Unreleased]\n\n- later\n");
  assert.match(faults({ changelog: waiting }), /unreleased notes/);
  assert.match(faults({ tags: [""] }), /no tag/);
});

Deno.test("digests are those of sha256sum, in order of name", () => {
  const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  const files = new Map([["b", new Uint8Array()], ["a", new Uint8Array()]]);
  assert.equal(digestLines(files), `${empty}  a\n${empty}  b\n`);
});

Deno.test("the changelog has notes of the version that deno.json names", () => {
  const { version } = JSON.parse(read("deno.json"));
  assert.ok(notesOf(read("CHANGELOG.md"), version));
});
