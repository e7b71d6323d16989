/** The site: pages of the repository, laid out by `pages.ts`; nothing is asked of any network. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { contents } from "../contents.ts";
import { slugOf } from "../headings.ts";
import { pageOf } from "../pages.ts";
import { indexOptions, searchOptions } from "../search.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const link = (path: string) => "/" + pageOf(path).replace(/(index)?\.md$/, "");

/** Pages of a folder, each by its first heading. */
function listed(folder: string, ending: string) {
  if (!existsSync(`${root}${folder}`)) return [];
  return readdirSync(`${root}${folder}`).filter((name) => name.endsWith(ending))
    .sort()
    .filter((name) => name !== "README.md")
    .map((name) => ({
      text: titleOf(`${folder}/${name}`),
      link: link(`${folder}/${name}`),
    }));
}

function titleOf(path: string): string {
  const [, title] = /(?:^|")# ([^"\n\\]+)/m.exec(
    readFileSync(root + path, "utf8"),
  )!;
  return title;
}

/** Parts that stay open: the three doors, and questions. */
const open = 4;

const parts = contents.map(({ title, pages }, i) => ({
  text: title,
  collapsed: i >= open,
  items: pages.map(([text, path]) => ({ text, link: link(path) })),
}));
const notebooks = {
  text: "Notebooks",
  collapsed: true,
  items: listed("docs/notebooks", ".ipynb"),
};
const design = {
  text: "Design",
  collapsed: true,
  items: [
    { text: "Decisions by area", link: link("docs/design/README.md") },
    ...listed("docs/design", ".md"),
  ],
};

export default defineConfig({
  title: "Sluice",
  description: "Policies that write probabilistic programs, and the proof of how close they came",
  srcDir: "dist/pages",
  outDir: "../dist/site",
  cacheDir: "dist/cache",
  head: [["link", { rel: "icon", href: "data:," }]],
  lastUpdated: false,
  markdown: { anchor: { slugify: slugOf }, math: false },
  themeConfig: {
    search: {
      provider: "local",
      options: {
        miniSearch: { options: indexOptions, searchOptions },
      },
    },
    outline: [2, 3],
    sidebar: [...parts.slice(0, open), notebooks, ...parts.slice(open), design]
      .filter((
        { items },
      ) => items.length > 0),
    docFooter: { prev: "Before", next: "Next" },
  },
});
