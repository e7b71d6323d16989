/** `doctor` sends no user to packages or control groups that their system lacks. */
import assert from "node:assert/strict";
import { remediesOn } from "../../src/cli/remedies_by_system.ts";

Deno.test("a remedy names the system's own means, and no other system's", () => {
  const words = (os: typeof Deno.build.os) => Object.values(remediesOn(os)).join(" ");
  assert.match(words("linux"), /apt-get install python3 bubblewrap.*systemd-run/);
  for (const os of ["darwin", "windows"] as const) {
    assert.doesNotMatch(words(os), /apt-get|systemd/);
  }
  assert.match(words("windows"), /WSL 2/);
  assert.match(words("darwin"), /a container or a virtual machine/);
});
