/** The built site in a headless browser: its search finds the field's words, the pages of doors first. */
import assert from "node:assert/strict";
import { join, normalize } from "node:path";
import type { Page } from "puppeteer-core";
import { withBrowser } from "../report/html/browser.ts";
import { home } from "./markdown.ts";

const site = join(home, "dist", "site");
const types: Readonly<Record<string, string>> = {
  html: "text/html",
  js: "text/javascript",
  css: "text/css",
};

/** Lends the address of a server of the built site. */
async function withSite<T>(use: (url: string) => Promise<T>): Promise<T> {
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      const path = normalize(decodeURIComponent(new URL(request.url).pathname));
      const file = path.endsWith("/") ? `${path}index.html` : path;
      const type = types[file.split(".").at(-1)!] ?? "application/octet-stream";
      const body = await Deno.readFile(join(site, file)).catch(() => undefined);
      return new Response(body, { status: body ? 200 : 404, headers: { "content-type": type } });
    },
  );
  try {
    return await use(`http://127.0.0.1:${server.addr.port}`);
  } finally {
    await server.shutdown();
  }
}

/** Pages that the search box lists for some words, the best first. */
async function found(page: Page, url: string, words: string): Promise<string[]> {
  await page.goto(`${url}/index.html`, { waitUntil: "networkidle0" });
  await page.click(".VPNavBarSearch button");
  await page.waitForSelector("#localsearch-input");
  await page.type("#localsearch-input", words);
  await page.waitForSelector("#localsearch-list a.result");
  await new Promise((done) => setTimeout(done, 500));
  const links = await page.$$eval(
    "#localsearch-list a.result",
    (all) => all.map((one) => one.getAttribute("href") ?? ""),
  );
  return links.map((link) => link.replace(/^\/|\.html.*$/g, ""));
}

/** Words of the field, each with a page that answers. */
const wanted = [
  ["Bayes factor", "docs/answers"],
  ["model averaging", "docs/answers"],
  ["conditional GFlowNet", "docs/for_gflownet_researchers"],
  ["LoRA", "docs/models"],
  ["marginal likelihood", "docs/evidence"],
  ["Thompson sampling", "docs/stages"],
  ["replay buffer", "docs/stages"],
  ["reproducible", "docs/running"],
  ["multilevel", "docs/model_spaces"],
  ["log_z_learning_rate", "schemas/keys"],
  ["contribute", "CONTRIBUTING"],
  ["converged", "docs/certificates"],
  ["SLURM", "docs/clusters"],
  ["privacy", "docs/your_own_data"],
  ["categorical predictor", "docs/model_spaces"],
  ["how many rows", "docs/your_own_data"],
] as const;

Deno.test("the search finds the field's words among its first five pages", async () => {
  await withSite((url) =>
    withBrowser(async (browser) => {
      const page = await browser.newPage();
      const lost: string[] = [];
      for (const [words, answer] of wanted) {
        const pages = [...new Set(await found(page, url, words))].slice(0, 6);
        if (!pages.slice(0, 5).includes(answer)) lost.push(`${words}: ${pages.join(", ")}`);
      }
      assert.deepEqual(lost, []);
    })
  );
});
