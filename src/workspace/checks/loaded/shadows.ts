// Added files that may take the place of others when an import is resolved: the same module under another ending, or in a
// folder that is searched first.

export interface Shadow {
  /** The file that the work adds. */
  readonly added: string;
  /** The file of the base commit that it may hide. */
  readonly hidden: string;
}

const families = [/\.[cm]?[jt]sx?$|\.json$|\.node$|\.wasm$/, /\.py[cd]?$|\.so$/, /\.rb$/, /\.php$/, /\.lua$/];

/** Names that say nothing without the folder around them. */
const general = /^(?:index|__init__|__main__|main|mod|init)$/;

/** The module that a path stands for, with the family of its language; null for other files. */
function moduleOf(path: string): string | null {
  const family = families.findIndex((pattern) => pattern.test(path));
  if (family === -1 || /\.d\.[cm]?ts$/.test(path)) return null;
  const parts = path.split("/");
  const stem = (parts.at(-1) ?? "").split(".")[0] ?? "";
  const isGeneral = general.test(stem);
  return `${family} ${isGeneral ? (parts.at(-2) ?? "") : stem}`;
}

const most = 100;

export function shadowsIn(added: readonly string[], kept: readonly string[]): Shadow[] {
  const known = new Map<string, string[]>();
  for (const path of kept) {
    const name = moduleOf(path);
    if (name !== null) known.set(name, [...(known.get(name) ?? []), path]);
  }
  return added
    .flatMap((path) => (known.get(moduleOf(path) ?? "") ?? []).map((hidden) => ({ added: path, hidden })))
    .slice(0, most);
}
