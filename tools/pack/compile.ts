/** TypeScript to JavaScript and declarations: every module of the package, as texts by path. */
import ts from "typescript";
import { join, relative } from "node:path";

/** Where the types of Deno are found; the file exists in memory only. */
const denoTypes = "deno.d.ts";

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ["lib.esnext.d.ts"],
  types: [],
  strict: true,
  declaration: true,
  resolveJsonModule: true,
  allowImportingTsExtensions: true,
  noEmitOnError: false,
  noCheck: true, // takes half of the time
  newLine: ts.NewLineKind.LineFeed,
};

/**
 * Compiles modules and everything that they import by relative path.
 *
 * `deno task check` is what checks them; here only declarations that cannot be written are errors.
 *
 * @param root Absolute path of the checkout.
 * @param modules Paths relative to it.
 * @returns Texts of `.js` and `.d.ts` files, by path relative to the checkout.
 */
export function compileModules(root: string, modules: readonly string[]): Map<string, string> {
  const types = join(root, denoTypes);
  const roots = [...modules.map((module) => join(root, module)), types];
  const settings = { ...options, rootDir: root, outDir: root };
  const program = ts.createProgram(roots, settings, hostWith(types, typesOfDeno(), settings));
  const texts = new Map<string, string>();
  const write = (file: string, text: string) => texts.set(relative(root, file), text);
  const { diagnostics } = program.emit(undefined, write, undefined, false, {
    after: [withPackedSpecifiers],
    afterDeclarations: [withPackedSpecifiers],
  });
  if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, formatHost(root)));
  return texts;
}

/** The declarations of Deno's own globals, by the Deno that runs this. */
function typesOfDeno(): string {
  const { stdout, success } = new Deno.Command("deno", { args: ["types"] }).outputSync();
  if (!success) throw new Error("deno types failed");
  return new TextDecoder().decode(stdout);
}

function hostWith(file: string, text: string, settings: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(settings);
  return {
    ...host,
    fileExists: (path) => path === file || host.fileExists(path),
    readFile: (path) => path === file ? text : host.readFile(path),
    getSourceFile: (path, ...rest) =>
      path === file
        ? ts.createSourceFile(path, text, ts.ScriptTarget.ESNext)
        : host.getSourceFile(path, ...rest),
  };
}

function formatHost(root: string): ts.FormatDiagnosticsHost {
  return {
    getCurrentDirectory: () => root,
    getCanonicalFileName: (name) => name,
    getNewLine: () => "\n",
  };
}

/**
 * Rewrites relative specifiers, also in `import()` and in types: `.ts` becomes `.js`. The
 * compiler's own option leaves declarations alone and wraps each import of a computed name.
 */
function withPackedSpecifiers<T extends ts.SourceFile | ts.Bundle>(
  context: ts.TransformationContext,
): (file: T) => T {
  const rename = (node: ts.Node): ts.Node => {
    if (ts.isLiteralTypeNode(node)) return ts.visitEachChild(node, rename, context);
    return ts.isStringLiteral(node) ? packedName(node) : node;
  };
  const visit = (node: ts.Node): ts.Node => {
    const inside = ts.visitEachChild(node, visit, context);
    return namesModule(inside) ? ts.visitEachChild(inside, rename, context) : inside;
  };
  return (file) => ts.visitEachChild(file, visit, context);
}

function namesModule(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true;
  if (ts.isImportTypeNode(node)) return true;
  return ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
}

function packedName(node: ts.StringLiteral): ts.StringLiteral {
  const name = node.text.replace(/^(\.{1,2}\/.*)\.ts$/, "$1.js");
  return name === node.text ? node : ts.factory.createStringLiteral(name);
}
