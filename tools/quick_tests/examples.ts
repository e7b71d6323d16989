/** Takes the examples out of doc comments and pages, each as a module that can be imported. */

/** One example: where it stands, and its code with specifiers that hold anywhere. */
export interface Example {
  /** `path:line` of its first line. */
  readonly name: string;
  readonly code: string;
}

/** The fenced TypeScript of a file; of a module, what stands in its doc comments. */
export function examplesOf(path: string, text: string, root: URL): Example[] {
  const isPage = path.endsWith(".md");
  const fence = isPage
    ? /^( *)```ts\n([\s\S]*?)^ *```$/gm
    : /^( *\* )```ts\n([\s\S]*?)^ *\* ```$/gm;
  return [...text.matchAll(fence)].map(([, prefix, body], i, all) => {
    const line = text.slice(0, all[i].index).split("\n").length + 1;
    const lines = body.split("\n").map((one) => one.slice(Math.min(prefix.length, one.length)));
    return { name: `${path}:${line}`, code: resolved(lines.join("\n"), new URL(path, root)) };
  });
}

/** Code whose relative imports are absolute. */
function resolved(code: string, from: URL): string {
  return code.replaceAll(
    /(\bfrom\s+|\bimport\s*\(?\s*)"(\.[^"]*)"/g,
    (_, before, specifier) => `${before}"${new URL(specifier, from).href}"`,
  );
}
