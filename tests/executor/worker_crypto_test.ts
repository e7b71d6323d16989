/** Tests that the worker's own SHA-256 is SHA-256. */
import assert from "node:assert/strict";
import { createHash as reference } from "node:crypto";
import { createHash } from "../../src/executor/worker_crypto.ts";

Deno.test("digests of every length around the block's are those of node:crypto", () => {
  for (let length = 0; length < 200; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 37 + length) & 0xff);
    const wanted = reference("sha256").update(bytes).digest("hex");
    assert.equal(createHash("sha256").update(bytes).digest("hex"), wanted);
  }
});

Deno.test("digests of text are those of its UTF-8", () => {
  for (const text of ["", "abc", "größer 🐋 \u2028", "x".repeat(100_000)]) {
    const wanted = reference("sha256").update(text).digest("hex");
    assert.equal(createHash("sha256").update(text).digest("hex"), wanted);
  }
});

Deno.test("a second update adds to the first, as in node:crypto", () => {
  const parts = ["", "größer", Uint8Array.of(0, 255), "x".repeat(100), ""];
  const [own, wanted] = [createHash("sha256"), reference("sha256")];
  for (const part of parts) [own, wanted].forEach((hash) => hash.update(part));
  assert.equal(own.digest("hex"), wanted.digest("hex"));
});
