// The types of the library as one declaration file. The compiler resolves what src/app/library.ts exports;
// the types that sources infer from schemas are written as plain interfaces, so the file imports no other package.
// As a program it only shows that the types can be written.
import { join } from "node:path";
import { API, SymbolFlags, type Checker, type Symbol as TypeSymbol } from "typescript/unstable/sync";
import { createTypeWriter, type TypeWriter } from "./type-text.ts";

const header = "// The types of the package thehood, made from its sources by the build.\n";

function valueText(checker: Checker, writer: TypeWriter, symbol: TypeSymbol): string {
  const type = checker.getTypeOfSymbol(symbol);
  if (!type) throw new Error(`The type of ${symbol.name} cannot be resolved`);
  const doc = symbol.getDocumentationComment(checker);
  const head = doc === "" ? "" : `/** ${doc} */\n`;
  return `${head}export declare const ${symbol.name}: ${writer.text(type, symbol.name)};\n`;
}

/** Names that are neither a global type nor taken. */
function uniqueNames(writer: TypeWriter, taken: Set<string>): (wanted: string) => string {
  return (wanted) => {
    let name = wanted;
    for (let count = 2; taken.has(name) || writer.isGlobal(name); count += 1) name = `${wanted}${count}`;
    taken.add(name);
    return name;
  };
}

export const libraryTypes = (root: string): string =>
  header + typesOf(root, "tsconfig.library.json", "src/app/library.ts");

/** The declarations of what a source file of a project exports. */
export function typesOf(root: string, configFile: string, entryFile: string): string {
  const config = join(root, configFile);
  const entry = join(root, entryFile);
  const api = new API({ cwd: root });
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    const source = project?.program.getSourceFile(entry);
    const module = source && project?.checker.getSymbolAtLocation(source);
    if (!project || !module) throw new Error(`${entryFile} is not part of ${configFile}`);
    const { checker } = project;
    const writer = createTypeWriter(project, join(root, "src"));
    const exported = checker
      .getExportsOfModule(module)
      .map((symbol) => (symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol));
    const types = exported.filter(({ flags }) => (flags & SymbolFlags.Type) !== 0);
    const tokens = types.map((symbol) => writer.exportType(symbol));
    const values = exported
      .filter(({ flags }) => (flags & SymbolFlags.Value) !== 0)
      .map((symbol) => valueText(checker, writer, symbol));
    writer.nameInferred();
    const names = uniqueNames(writer, new Set(types.map(({ name }) => name)));
    return writer.declarations.write(values, tokens, names);
  } finally {
    api.close();
  }
}

if (import.meta.main) libraryTypes(join(import.meta.dirname, "../.."));
