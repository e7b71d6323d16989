/** Finds exports of the house that no other file imports, and those that nothing but a test uses. */
import ts from "typescript";
import type { FileArrow } from "../imports/modules.ts";

/** An export of a file, as `path#name`. */
export type ExportName = `${string}#${string}`;

/** Exceptions of the gate: doors and entry points are read from outside, tests keep a list. */
export interface ExportPlan {
  /** Files and folders whose exports are looked at. */
  readonly house: readonly string[];
  /** Files that are imported from outside, or by a name that is computed. */
  readonly doors: RegExp;
  /** Exports that only tests use, not even their own file, with the reason why they stay. It only shrinks. */
  readonly testsOnly: Readonly<Record<ExportName, string>>;
}

/** Every fault, in plain words. */
export function exportFaults(
  sources: ReadonlyMap<string, ts.SourceFile>,
  arrows: readonly FileArrow[],
  plan: ExportPlan,
): string[] {
  const { unused, testsOnly } = lonelyExports(sources, arrows, plan);
  const gone = Object.keys(plan.testsOnly).filter((name) =>
    !testsOnly.includes(name as ExportName)
  );
  const fresh = testsOnly.filter((name) => !(name in plan.testsOnly));
  return [
    ...unused.map((name) => `${name} is used in no other file: remove \`export\`, or the code`),
    ...fresh.map((name) => `${name} is used by tests alone: test what uses it, and remove it`),
    ...gone.map((name) =>
      `testsOnly names ${name}, which tests alone do not use: remove the entry`
    ),
  ];
}

/** Exports that no other file imports, and exports that tests import and nothing uses, their own file included. */
export function lonelyExports(
  sources: ReadonlyMap<string, ts.SourceFile>,
  arrows: readonly FileArrow[],
  { house, doors }: ExportPlan,
): { readonly unused: ExportName[]; readonly testsOnly: ExportName[] } {
  const uses = usesOf(arrows);
  const unused: ExportName[] = [];
  const testsOnly: ExportName[] = [];
  for (const [path, source] of sources) {
    if (!house.some((place) => path === place || path.startsWith(`${place}/`))) continue;
    if (doors.test(path)) continue;
    for (const name of exportedNames(source)) {
      const users = [...uses.get(`${path}#${name}`) ?? [], ...uses.get(`${path}#*`) ?? []];
      if (users.length === 0) unused.push(`${path}#${name}`);
      else if (users.every((user) => user.startsWith("tests/")) && mentions(source, name) === 1) {
        testsOnly.push(`${path}#${name}`);
      }
    }
  }
  return { unused, testsOnly };
}

function usesOf(arrows: readonly FileArrow[]): Map<ExportName, string[]> {
  const uses = new Map<ExportName, string[]>();
  for (const { from, to, names } of arrows) {
    if (from === to) continue;
    for (const name of names) uses.set(`${to}#${name}`, [...uses.get(`${to}#${name}`) ?? [], from]);
  }
  return uses;
}

/** How often a name stands in a file, its declaration included. */
function mentions(source: ts.SourceFile, name: string): number {
  let count = 0;
  const visit = (node: ts.Node) => {
    if (ts.isIdentifier(node) && node.text === name) count++;
    ts.forEachChild(node, visit);
  };
  visit(source);
  return count;
}

/** The names that a file exports. */
export function exportedNames(source: ts.SourceFile): string[] {
  return source.statements.flatMap((node) => {
    if (ts.isExportAssignment(node)) return ["default"];
    if (ts.isExportDeclaration(node)) return namesOfClause(node.exportClause);
    const modifiers = ts.canHaveModifiers(node) ? ts.getModifiers(node) ?? [] : [];
    const has = (kind: ts.SyntaxKind) => modifiers.some((one) => one.kind === kind);
    if (!has(ts.SyntaxKind.ExportKeyword)) return [];
    return has(ts.SyntaxKind.DefaultKeyword) ? ["default"] : declaredNames(node);
  });
}

function namesOfClause(clause: ts.NamedExportBindings | undefined): string[] {
  if (!clause) return [];
  return ts.isNamespaceExport(clause)
    ? [clause.name.text]
    : clause.elements.map(({ name }) => name.text);
}

function declaredNames(node: ts.Statement): string[] {
  if (ts.isVariableStatement(node)) {
    return node.declarationList.declarations.flatMap(({ name }) => boundNames(name));
  }
  const { name } = node as ts.Statement & { readonly name?: ts.Identifier };
  return name ? [name.text] : [];
}

function boundNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((one) => ts.isBindingElement(one) ? boundNames(one.name) : []);
}
