/** Draws the blocks of Mermaid on a page, with the library that lies beside the pages. */

/** Mermaid's functions that are used. */
interface Mermaid {
  initialize(options: object): void;
  run(options: { nodes: readonly Element[] }): Promise<void>;
}

let loading: Promise<Mermaid> | undefined;

/** Draws what is not drawn yet; the library is loaded by the first page that has a diagram. */
export async function drawDiagrams(): Promise<void> {
  const blocks = [...document.querySelectorAll("div.language-mermaid")];
  if (blocks.length === 0) return;
  const mermaid = await (loading ??= load());
  const theme = document.documentElement.classList.contains("dark") ? "dark" : "neutral";
  mermaid.initialize({ startOnLoad: false, theme });
  await mermaid.run({ nodes: blocks.map(place) });
}

/** A place for the drawing, in the stead of the block of text. */
function place(block: Element): Element {
  const drawing = document.createElement("div");
  drawing.className = "diagram";
  drawing.textContent = block.querySelector("code")!.textContent;
  block.replaceWith(drawing);
  return drawing;
}

function load(): Promise<Mermaid> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = "/mermaid.min.js";
    script.onload = () => resolve((globalThis as unknown as { mermaid: Mermaid }).mermaid);
    script.onerror = () => reject(new Error("Cannot load /mermaid.min.js"));
    document.head.append(script);
  });
}
