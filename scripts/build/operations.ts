// The list of operations, from the files that define them, one or several in a file. An operation that the list has keeps
// its position; a new one comes last in its group, and its line may be moved.
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

interface Found {
  /** The name that its file exports it under. */
  readonly name: string;
  /** The file, from the folder of the operations. */
  readonly file: string;
  readonly group: string;
}

const isOperation = (value: unknown): value is { group: string } =>
  typeof value === "object" && value !== null && "handle" in value && "effect" in value && "group" in value;

/** Folders whose files define no operation of `thehood`. */
const otherFolders: readonly string[] = ["context", "define", "fast", "oracle", "recipes", "run-data", "text"];

async function findOperations(top: string): Promise<readonly Found[]> {
  const folders = readdirSync(top, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !otherFolders.includes(entry.name))
    .map(({ name }) => name);
  const files = folders.flatMap((folder) =>
    readdirSync(join(top, folder))
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .map((name) => `./${folder}/${name}`),
  );
  const found = await Promise.all(
    files.map(async (file) => {
      const exported = (await import(join(top, file))) as Record<string, unknown>;
      return Object.entries(exported).flatMap(([name, value]) =>
        isOperation(value) ? [{ name, file, group: value.group }] : [],
      );
    }),
  );
  return found.flat();
}

/** The names of the list in their order, as the file has them now. */
const namesIn = (text: string): readonly string[] =>
  /export const operations = \[([^\]]*)\]/
    .exec(text)?.[1]
    ?.split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "") ?? [];

function ordered(found: readonly Found[], known: readonly string[]): readonly Found[] {
  const list = known.flatMap((name) => found.filter((one) => one.name === name));
  for (const one of found.filter(({ name }) => !known.includes(name))) {
    const last = list.findLastIndex(({ group }) => group === one.group);
    list.splice(last === -1 ? list.length : last + 1, 0, one);
  }
  return list;
}

const importLine = (file: string, names: readonly string[]): string => {
  const line = `import { ${names.join(", ")} } from "${file}";`;
  return line.length <= 110 ? line : `import {\n${names.map((name) => `  ${name},\n`).join("")}} from "${file}";`;
};

function listText(found: readonly Found[], before: string): string {
  const list = ordered(found, namesIn(before));
  const files = [...new Set(list.map(({ file }) => file))].toSorted();
  const imports = files.map((file) =>
    importLine(file, list.flatMap((one) => (one.file === file ? [one.name] : [])).toSorted()),
  );
  return [
    "// Every operation, in the order in which help and the reference pages show them.",
    "// The build writes this list from the files beside it; the order of its lines is kept.",
    ...imports,
    "",
    "export const operations = [",
    ...list.map(({ name }) => `  ${name},`),
    "] as const;",
    "",
  ].join("\n");
}

export const listFile = "src/operations/all.ts";

/** The list as it should be. */
export async function operationsList(root: string): Promise<string> {
  const file = join(root, listFile);
  return listText(await findOperations(dirname(file)), readFileSync(file, "utf8"));
}
