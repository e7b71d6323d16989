/** The commands of the front page in a fresh checkout: one installs, the others need no network. */
import assert from "node:assert/strict";
import { delimiter, dirname, join } from "node:path";
import { home } from "../cli/command_line.ts";

/** A checkout, and a folder for what Deno keeps: as on a machine that never saw Sluice. */
class Checkout {
  readonly #root = Deno.makeTempDirSync({ prefix: "sluice-checkout-" });

  constructor() {
    const files = this.#run(
      {},
      "git",
      "-C",
      home,
      "archive",
      "--output",
      this.#path("a.tar"),
      "HEAD",
    );
    assert.equal(files.code, 0, files.text);
    Deno.mkdirSync(this.#path("checkout"));
    this.#run({}, "tar", "-xf", this.#path("a.tar"), "-C", this.#path("checkout"));
  }

  /** Runs a line of a page; offline, whatever is asked of the network is asked of a closed port. */
  shell(line: string, { offline = true } = {}): { readonly code: number; readonly text: string } {
    const nowhere = "http://127.0.0.1:9";
    const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];
    const proxies = Object.fromEntries(names.map((name) => [name, nowhere]));
    const env: Record<string, string> = offline ? { ...proxies, NO_PROXY: "" } : {};
    return this.#run(env, "sh", "-c", `cd ${this.#path("checkout")} && ${line}`);
  }

  remove(): void {
    Deno.removeSync(this.#root, { recursive: true });
  }

  #path(name: string): string {
    return join(this.#root, name);
  }

  #run(env: Record<string, string>, command: string, ...args: string[]) {
    const path = `${dirname(Deno.execPath())}${delimiter}${Deno.env.get("PATH")}`;
    const own = { PATH: path, DENO_DIR: this.#path("deno"), XDG_CONFIG_HOME: this.#path("config") };
    const quiet = { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" };
    const options = { args, env: { ...own, ...quiet, ...env }, stdin: "null" } as const;
    const { code, stdout, stderr } = new Deno.Command(command, options).outputSync();
    return { code, text: [stdout, stderr].map((b) => new TextDecoder().decode(b)).join("") };
  }
}

/** Commands of the shell blocks of the front page, without comments. */
function frontPage(): string[] {
  const text = Deno.readTextFileSync(join(home, "README.md"));
  const blocks = [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block);
  return blocks.join("").split("\n").map((line) => line.replace(/ +#.*/, ""));
}

/** Overlay that replaces the main job's minutes by seconds. */
const short = "@configs/fast.toml --set stages.warm_start.steps=1 --set stages.train.steps=2";

Deno.test("what the first commands need is installed by the second line, in silence", async (test) => {
  const lines = frontPage();
  const checkout = new Checkout();
  try {
    const install = lines.find((line) => line.startsWith("deno install"))!;
    await test.step(install, () => {
      const { code, text } = checkout.shell(install, { offline: false });
      assert.equal(code, 0, text);
      assert.ok(text.split("\n").length <= 3, text);
    });
    const rank = lines.find((line) => line.startsWith("deno task sluice rank"))!;
    const run = lines.find((line) => line.startsWith("deno task run"))!;
    for (const line of [rank, `${run} ${short}`, "deno task sluice report"]) {
      await test.step(`offline: ${line.slice(0, 40)}`, () => {
        const { text } = checkout.shell(line);
        assert.doesNotMatch(text, /Download|Initialize|error sending request/, text);
        assert.match(text, /Files:|report\.html|Done in|Failed in/, text);
      });
    }
  } finally {
    checkout.remove();
  }
});
