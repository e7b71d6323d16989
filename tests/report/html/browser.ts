/** A headless Chromium for tests of pages, and what a page did while it was shown. */
import { existsSync } from "node:fs";
import puppeteer, { type Browser, type Page } from "puppeteer-core";

/** Where Debian, and others, put it. */
const places = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** How a page is shown. */
export interface Showing {
  readonly width: number;
  readonly dark?: boolean;
}

/** A page, and all that it said and asked for. */
export interface Shown {
  readonly page: Page;
  /** Messages of the console and faults of its script. */
  readonly said: readonly string[];
  /** Addresses that it asked for, its own left out. */
  readonly asked: readonly string[];
}

/** Lends a browser. */
export async function withBrowser<T>(use: (browser: Browser) => Promise<T>): Promise<T> {
  const executablePath = places.find((path) => existsSync(path));
  if (!executablePath) throw new Error("no Chromium: apt-get install chromium");
  const args = ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb"];
  const browser = await puppeteer.launch({ executablePath, args });
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
}

/** Shows a file. */
export async function show(
  browser: Browser,
  url: string,
  { width, dark = false }: Showing,
): Promise<Shown> {
  const page = await browser.newPage();
  const said: string[] = [];
  const asked: string[] = [];
  page.on("console", (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => said.push(String(error)));
  page.on("dialog", async (dialog) => {
    said.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on("request", (request) => {
    if (request.url() !== url) asked.push(request.url());
  });
  await page.setViewport({ width, height: 900, deviceScaleFactor: width < 500 ? 2 : 1 });
  await page.emulateMediaFeatures([
    { name: "prefers-color-scheme", value: dark ? "dark" : "light" },
  ]);
  await page.goto(url, { waitUntil: "load" });
  return { page, said, asked };
}
