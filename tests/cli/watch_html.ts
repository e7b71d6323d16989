/** The page of `sluice watch` in a headless browser: it follows a run, and runs nothing that runs wrote. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { serveWatch } from "../../src/cli/watch/serve.ts";
import { show, withBrowser } from "../report/html/browser.ts";
import { CommandLine } from "./command_line.ts";

const hostile = "<img src=x onerror=\"document.title='taken'\"><script>alert(1)</script>";

/** Lends the page of a project with one run. */
async function withPage(use: (url: string, project: CommandLine) => Promise<void>): Promise<void> {
  const project = CommandLine.make(["docs/examples"]);
  const made = await project.sluice("run", "docs/examples/small_grid.toml", "--quiet");
  assert.equal(made.code, 0, made.err);
  const watching = await serveWatch(project.root, { port: 0, token: "a-token", every: 100 });
  try {
    await use(watching.url, project);
  } finally {
    await watching.close();
    project.remove();
  }
}

Deno.test("the page shows runs as they are made, and text of runs as text", () =>
  withPage((url, project) =>
    withBrowser(async (browser) => {
      const [run] = [...Deno.readDirSync(project.path("runs"))].map(({ name }) => name);
      project.write(join("runs", run, "logs", "z-1.log"), hostile);
      const { page, said, asked } = await show(browser, url, { width: 1000 });
      await page.waitForSelector(".curve path");
      const text = await page.$eval("main", (main) => main.textContent ?? "");
      for (const part of ["small_grid", "done", "train.progress tv", "log reward", hostile]) {
        assert.ok(text.includes(part), `${part} in ${text.slice(0, 400)}`);
      }
      assert.equal(await page.title(), "sluice watch");
      assert.deepEqual(said, []);
      assert.ok(asked.every((address) => address.startsWith(`${url}events?run=`)), `${asked}`);
      const longer = project.sluice(
        "run",
        "docs/examples/small_grid.toml",
        "--set",
        "stages.train.steps=300",
      );
      await page.waitForSelector(".running", { timeout: 60_000 });
      await page.waitForFunction(
        "/train.learn loss step [0-9]+/.test(document.querySelector('main').textContent)",
        { timeout: 60_000 },
      );
      assert.equal((await longer).code, 0);
      await page.waitForFunction("!document.querySelector('.running')", { timeout: 60_000 });
      assert.equal(await page.$$eval("#overview tbody tr", (rows) => rows.length), 2);
    })
  ));
