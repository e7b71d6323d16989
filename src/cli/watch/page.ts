/** The document of `sluice watch`: whole, loads nothing, and shows what its events bring. */
import { createHash } from "node:crypto";
import { style } from "../../report/html_report/style.ts";

/** The parts of the page are HTML of this program's making, in which every text is escaped. */
const script = `
const parts = ["overview", "run"].map((name) => [name, document.getElementById(name)]);
const state = document.getElementById("state");
let source;
function look() {
  source?.close();
  source = new EventSource("events?run=" + encodeURIComponent(location.hash.slice(1)));
  source.onopen = () => state.textContent = "live";
  source.onmessage = ({ data }) => {
    const view = JSON.parse(data);
    for (const [name, part] of parts) if (part.innerHTML !== view[name]) part.innerHTML = view[name];
  };
  source.onerror = () => state.textContent = "sluice watch has ended, or does not answer";
}
addEventListener("hashchange", look);
look();
`;

const ownStyle = `${style}
main,header{max-width:76rem}
.curves{display:grid;grid-template-columns:repeat(auto-fill,minmax(18rem,1fr));gap:.6rem 1.2rem}
.curve{margin:0}.curve svg{width:100%;height:auto;background:var(--panel);border-radius:5px}
.curve path{fill:none;stroke:var(--main);stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round}
.curve figcaption{overflow-wrap:anywhere}
.running{color:var(--main);font-weight:600}.failed,.lost{color:var(--warn);font-weight:600}
td pre{max-height:14rem;overflow:auto;margin:0;padding:.2rem .5rem}
#overview td,#overview th{white-space:nowrap}
#overview .wide:first-of-type td:nth-child(2){white-space:normal;overflow-wrap:anywhere;min-width:12rem}
`;

/** The document. */
export const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>sluice watch</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
<style>${ownStyle}</style></head>
<body><header><h1>sluice watch</h1><p class="facts" id="state" role="status">asking</p></header>
<main><section id="overview"></section><section id="run"></section></main>
<script>${script}</script></body></html>
`;

/** Nothing may run or be loaded but what the document brings; events come from its own address. */
export const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  `script-src 'sha256-${createHash("sha256").update(script).digest("base64")}'`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
