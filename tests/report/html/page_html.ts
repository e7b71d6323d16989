/** The HTML report in a headless browser: resources that it loads, its texts, and whether it can be read. */
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import type { Page } from "puppeteer-core";
import { drawAll } from "./draw_all.ts";
import { page as pageOf } from "../../../src/report/html_report/page.ts";
import { picturesOf } from "../../../src/report/html_report/pictures_of.ts";
import { show, withBrowser } from "./browser.ts";
import { hostile, pageFacts } from "./page_facts.ts";
import { temporaryFolder } from "../../temporary_folder.ts";

const facts = pageFacts();
const text = pageOf(facts, await drawAll(picturesOf(facts)));

/** Writes a page into a folder that goes away, and lends its address. */
async function withPage<T>(content: string, use: (url: string) => Promise<T>): Promise<T> {
  const folder = temporaryFolder();
  const path = `${folder}/report.html`;
  Deno.writeTextFileSync(path, content);
  try {
    return await use(pathToFileURL(path).href);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** Texts whose contrast with what is behind them is too low (WCAG 2.2, 1.4.3): runs in the page. */
const faintTexts = `(() => {
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const [r, g, b] = channels(colour).slice(0, 3).map((one) => one / 255)
      .map((one) => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if ((channels(colour)[3] ?? 1) > 0) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let looked = 0;
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    const box = element.getBoundingClientRect();
    if (!walk.currentNode.data.trim() || box.width === 0 || element.tagName === "SCRIPT") continue;
    looked += 1;
    const style = getComputedStyle(element);
    const colour = element instanceof SVGElement ? style.fill : style.color;
    const [one, two] = [light(colour), light(ground(element))].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (two + 0.05);
    if (ratio < 4.5) found.push(walk.currentNode.data.trim().slice(0, 40) + " " + ratio.toFixed(2));
  }
  return { looked, found };
})()`;

/** Labels of pictures that stand out of their picture, and pictures that are shown: in the page. */
const cutLabels = `(() => {
  const cut = [];
  let shown = 0;
  for (const svg of document.querySelectorAll(".picture svg")) {
    const frame = svg.getBoundingClientRect();
    if (frame.width === 0) continue;
    shown += 1;
    for (const text of svg.querySelectorAll("text")) {
      const box = text.getBoundingClientRect();
      const out = Math.max(frame.left - box.left, box.right - frame.right, frame.top - box.top,
        box.bottom - frame.bottom);
      if (box.width > 0 && out > 1.5) cut.push(text.textContent + " by " + out.toFixed(1));
    }
  }
  return { shown, cut };
})()`;

async function inPage<T>(page: Page, code: string): Promise<T> {
  return await page.evaluate(code) as T;
}

Deno.test("the page is read at both widths, light and dark, and does nothing but show", async () => {
  await withPage(text, (url) =>
    withBrowser(async (browser) => {
      for (const width of [1280, 380]) {
        for (const dark of [false, true]) {
          const where = `${width} ${dark ? "dark" : "light"}`;
          const { page, said, asked } = await show(browser, url, { width, dark });
          await inPage(
            page,
            "document.querySelectorAll('details').forEach((one) => one.open = true)",
          );
          assert.deepEqual(said, [], where);
          assert.deepEqual(asked, [], where);
          const wide = await inPage<number>(page, "document.documentElement.scrollWidth");
          assert.ok(wide <= width, `${where}: ${wide} pixels wide`);
          type Contrast = { readonly looked: number; readonly found: readonly string[] };
          const { looked, found } = await inPage<Contrast>(page, faintTexts);
          assert.ok(looked > 300, `${where}: ${looked} texts`);
          assert.deepEqual(found, [], where);
          type Labels = { readonly shown: number; readonly cut: readonly string[] };
          const { shown, cut } = await inPage<Labels>(page, cutLabels);
          assert.equal(shown, picturesOf(facts).length, where);
          assert.deepEqual(cut, [], where);
          await page.close();
        }
      }
    }));
});

Deno.test("a button copies the code as it is; on paper everything is open", async () => {
  await withPage(text, (url) =>
    withBrowser(async (browser) => {
      const { page } = await show(browser, url, { width: 1280 });
      await page.click(".code button");
      await page.waitForFunction("document.querySelector('.code button').textContent !== 'Copy'");
      const said = await inPage<string>(page, "document.querySelector('.code button').textContent");
      assert.match(said, /^(Copied|Selected)$/);
      const code = await inPage<string>(page, "document.querySelector('.code code').textContent");
      assert.equal(code, `${hostile.comment}\nimport pymc as pm\n`);
      await page.emulateMediaType("print");
      await inPage(page, "dispatchEvent(new Event('beforeprint'))");
      const closed = await inPage(page, "document.querySelectorAll('details:not([open])').length");
      assert.equal(closed, 0);
      const pdf = await page.pdf({ format: "A4" });
      assert.equal(new TextDecoder().decode(pdf.slice(0, 5)), "%PDF-");
      await inPage(page, "dispatchEvent(new Event('afterprint'))");
      const again = await inPage<number>(
        page,
        "document.querySelectorAll('details:not([open])').length",
      );
      assert.ok(again > 3);
    }));
});

Deno.test("a script or an image that slipped in is stopped by the policy, and these tests would see it", async () => {
  const planted =
    `<script>alert(1)</script><img src="https://example.org/x.png" onerror="alert(2)">` +
    `<p style="color:#fefefe">faint</p>`;
  await withPage(
    text.replace("<main>", `<main>${planted}`),
    (url) =>
      withBrowser(async (browser) => {
        const { page, said } = await show(browser, url, { width: 380 });
        assert.ok(
          said.some((one) => /script.*Content Security Policy/i.test(one)),
          said.join("\n"),
        );
        assert.ok(said.some((one) => /image.*Content Security Policy/i.test(one)), said.join("\n"));
        assert.ok(said.some((one) => /style.*Content Security Policy/i.test(one)), said.join("\n"));
        assert.ok(!said.some((one) => one.startsWith("dialog")), "nothing ran");
        type Contrast = { readonly found: readonly string[] };
        await inPage(
          page,
          "(() => { const rule = document.styleSheets[0]; rule.insertRule('h1{color:#eee}'); })()",
        );
        const { found } = await inPage<Contrast>(page, faintTexts);
        assert.ok(found.length > 0, "faint text is found");
      }),
  );
});
