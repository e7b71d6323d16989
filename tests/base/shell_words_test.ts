/** Commands that are printed to be copied mean what was typed: `sh` reads them back. */
import assert from "node:assert/strict";
import { shellWords } from "../../src/base/shell_words.ts";

const words = [
  ["rank", "my data/plots 1.csv", "--formula", "y ~ [x | poly(x, 2)] + `mass [g]`"],
  ["--response", "length (cm)", "--prior", 'x={ "poly(x, 2)" = 0.2 }'],
  ["it's", "$HOME", "", "a\\b", "*", "größe", "--set", "stages.train.steps=12"],
];

Deno.test("a shell reads the words of a printed command as they were typed", async () => {
  for (const typed of words) {
    const script = `printf '%s\\n' ${shellWords(typed)}`;
    const { stdout } = await new Deno.Command("sh", { args: ["-c", script] }).output();
    assert.deepEqual(new TextDecoder().decode(stdout).split("\n").slice(0, -1), typed);
  }
});

Deno.test("words that a shell leaves alone stand as they are", () => {
  const typed = ["run", "pipelines/a.toml", "@configs/fast.toml", "--set", "a.b=1"];
  assert.equal(shellWords(typed), typed.join(" "));
});
