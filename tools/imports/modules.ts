/** Reads which file of the house imports which names of which file, and which outside library. */
import ts from "typescript";

/** One import of a file: of another file, or of a library. */
export interface FileArrow {
  /** Path of the importing file, from the root. */
  readonly from: string;
  /** Path of the imported file; empty for a library. */
  readonly to: string;
  readonly library?: string;
  /** Whether values are imported when the module is loaded, and not types alone or on demand. */
  readonly value: boolean;
  /** True if the import is made on demand, by `import()`. */
  readonly onDemand: boolean;
  /** The imported names, as the other file exports them; `*` for all of them. */
  readonly names: readonly string[];
}

/** An import as it stands in the text, before its specifier is resolved. */
type Written = Omit<FileArrow, "from" | "to" | "library"> & { readonly specifier: string };

const root = new URL("../..", import.meta.url);

/** The text of every TypeScript file that git knows, by its path from the root. */
export async function trackedFiles(): Promise<ReadonlyMap<string, string>> {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "*.ts"];
  const { stdout, success } = await new Deno.Command("git", { args, cwd: root }).output();
  if (!success) {
    throw new Error("git ls-files failed: imports are read in a clone of the repository");
  }
  const paths = new TextDecoder().decode(stdout).split("\n").filter((path) => path !== "");
  const texts = paths.map((path) => Deno.readTextFile(new URL(path, root)).catch(() => undefined));
  const read = (await Promise.all(texts)).map((text, i) => [paths[i], text] as const);
  return new Map(read.filter((pair): pair is [string, string] => pair[1] !== undefined));
}

/** Targets of bare specifiers in the import map of deno.json: those of our own doors. */
export async function ownDoors(): Promise<ReadonlyMap<string, string>> {
  const { imports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", root)));
  const own = Object.entries<string>(imports).filter(([, target]) => target.startsWith("./"));
  return new Map(own.map(([name, target]) => [name, target.slice(2)]));
}

/** Every import of every file. */
export function fileArrows(
  sources: ReadonlyMap<string, ts.SourceFile>,
  doors: ReadonlyMap<string, string>,
): readonly FileArrow[] {
  return [...sources].flatMap(([from, source]) =>
    writtenImports(source).map(({ specifier, ...rest }): FileArrow => {
      const to = doors.get(specifier) ?? relative(from, specifier);
      return to === undefined
        ? { from, to: "", library: library(specifier), ...rest }
        : { from, to, ...rest };
    })
  );
}

/** The syntax tree of each file. */
export function parsed(files: ReadonlyMap<string, string>): ReadonlyMap<string, ts.SourceFile> {
  const parse = (path: string, text: string) =>
    ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  return new Map([...files].map(([path, text]) => [path, parse(path, text)]));
}

function relative(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  return new URL(specifier, `file:///${from}`).pathname.slice(1);
}

function library(specifier: string): string | undefined {
  if (/^(file:|node:|\/)/.test(specifier)) return undefined;
  const [first, second] = specifier.split("/");
  return first.startsWith("@") ? `${first}/${second}` : first;
}

function writtenImports(source: ts.SourceFile): Written[] {
  const found = source.statements.flatMap(ofStatement);
  if (!source.text.includes("import(")) return found;
  const visit = (node: ts.Node) => {
    const one = ofExpression(node);
    if (one) found.push(one);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function ofStatement(node: ts.Statement): Written[] {
  if (!ts.isImportDeclaration(node) && !ts.isExportDeclaration(node)) return [];
  if (!node.moduleSpecifier) return [];
  const specifier = (node.moduleSpecifier as ts.StringLiteral).text;
  const bound = ts.isImportDeclaration(node) ? boundOf(node.importClause) : exportedOf(node);
  return [{ specifier, onDemand: false, ...bound }];
}

type Bound = Pick<Written, "value" | "names">;

function boundOf(clause: ts.ImportClause | undefined): Bound {
  if (!clause) return { value: true, names: [] };
  const names = clause.name ? ["default"] : [];
  const bindings = clause.namedBindings;
  const typeOnly = clause.phaseModifier === ts.SyntaxKind.TypeKeyword;
  if (!bindings) return { value: !typeOnly, names };
  if (ts.isNamespaceImport(bindings)) return { value: !typeOnly, names: [...names, "*"] };
  return elementsOf(bindings.elements, names, typeOnly);
}

function exportedOf(node: ts.ExportDeclaration): Bound {
  const clause = node.exportClause;
  if (!clause || ts.isNamespaceExport(clause)) return { value: !node.isTypeOnly, names: ["*"] };
  return elementsOf(clause.elements, [], node.isTypeOnly);
}

function elementsOf(
  elements: ts.NodeArray<ts.ImportSpecifier | ts.ExportSpecifier>,
  first: readonly string[],
  typeOnly: boolean,
): Bound {
  const names = [...first, ...elements.map((one) => (one.propertyName ?? one.name).text)];
  const values = first.length > 0 || elements.some((one) => !one.isTypeOnly);
  return { value: values && !typeOnly, names };
}

/** `import("./x.ts")` on demand, or `import("./x.ts").Name` in a type. */
function ofExpression(node: ts.Node): Written | undefined {
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    const specifier = (node.argument.literal as ts.StringLiteral).text;
    const names = node.qualifier ? [firstOf(node.qualifier)] : ["*"];
    return { specifier, value: false, onDemand: false, names };
  }
  if (!ts.isCallExpression(node) || node.expression.kind !== ts.SyntaxKind.ImportKeyword) return;
  const [argument] = node.arguments;
  if (!argument || !ts.isStringLiteralLike(argument)) return undefined;
  return { specifier: argument.text, value: false, onDemand: true, names: ["*"] };
}

function firstOf(name: ts.EntityName): string {
  return ts.isQualifiedName(name) ? firstOf(name.left) : name.text;
}
