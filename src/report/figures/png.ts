/** Turns SVG into PNG without a browser; the one place that uses the rasteriser and its font. */
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { pngFile } from "./png_file.ts";

/** Pixels for each of the drawing's: fit for print and for sharp screens. */
const zoom = 2;

let rasteriser: Promise<Uint8Array> | undefined;

/** A drawing as PNG on white, at twice its size. The same drawing gives the same bytes. */
export async function pngOf(svg: string): Promise<Uint8Array> {
  rasteriser ??= start();
  const font = await rasteriser;
  const drawing = new Resvg(svg, {
    background: "white",
    fitTo: { mode: "zoom", value: zoom },
    font: { fontBuffers: [font], defaultFontFamily: "Inter", sansSerifFamily: "Inter" },
  });
  const image = drawing.render();
  const file = pngFile({ width: image.width, height: image.height, rgba: image.pixels });
  image.free();
  drawing.free();
  return file;
}

async function start(): Promise<Uint8Array> {
  const read = (url: string) => readFile(fileURLToPath(url));
  const [wasm, font] = await Promise.all([
    read(import.meta.resolve("@resvg/resvg-wasm/index_bg.wasm")),
    read(import.meta.resolve("@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf")),
  ]);
  await initWasm(wasm);
  return font;
}
