// Tells the changes of protected files apart: lock files that only follow their manifest, new tests beside unchanged ones,
// snapshots of tests that changed, and everything else, which can weaken what is checked.
import { onlyAdds, type ProtectedEffect } from "../../contract/index.ts";
import type { PathKind } from "../classify/rule.ts";
import type { Section } from "../model.ts";

export interface EffectFound {
  readonly effect: ProtectedEffect;
  /** For people, after the name of the file; empty where nothing is to be added. */
  readonly note: string;
}

/**
 * From a lock file to the manifests that a package manager writes it after: in the same folder, or in a folder below, which
 * is a member of its workspace.
 */
const manifests: readonly (readonly [lock: RegExp, manifest: RegExp])[] = [
  [/^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.ya?ml|bun\.lockb?)$/, /^package\.json$/],
  [/^deno\.lock$/, /^(?:deno\.jsonc?|package\.json)$/],
  [/^cargo\.lock$/i, /^cargo\.toml$/i],
  [/^go\.sum$/, /^go\.mod$/],
  [/^(?:poetry|uv|pdm)\.lock$/, /^pyproject\.toml$/],
  [/^pipfile\.lock$/i, /^pipfile$/i],
  [/^gemfile\.lock$/i, /^gemfile$/i],
  [/^composer\.lock$/, /^composer\.json$/],
  [/^mix\.lock$/, /^mix\.exs$/],
  [/^pubspec\.lock$/, /^pubspec\.yaml$/],
  [/^flake\.lock$/, /^flake\.nix$/],
];

const split = (path: string) => {
  const at = path.lastIndexOf("/");
  return { folder: path.slice(0, at + 1), name: path.slice(at + 1) };
};

/** The lines of a section that begin with this sign. */
const linesOf = ({ body }: Section, sign: "+" | "-" | " "): string[] =>
  body.kind === "hunks"
    ? body.hunks.flatMap((hunk) => hunk.body.split("\n").filter((line) => line.startsWith(sign)))
    : [];

const address = /\b(?:https?|git\+\w+|git|ssh|file):(?:\/\/)?([^/\s"'#]*)/g;
const hostsIn = (lines: readonly string[]) =>
  new Set(lines.flatMap((line) => [...line.matchAll(address)].map(([, host = ""]) => host.toLowerCase())));

/** The registries that package managers use when nobody chose another. */
const registries = new Set([
  "registry.npmjs.org",
  "registry.yarnpkg.com",
  "files.pythonhosted.org",
  "pypi.org",
  "rubygems.org",
  "github.com",
  "api.github.com",
  "codeload.github.com",
  "repo.packagist.org",
  "opencollective.com",
  "tidelift.com",
]);

/** Where packages come from that came from nowhere before. */
function newHosts(section: Section): string[] {
  const before = hostsIn([...linesOf(section, " "), ...linesOf(section, "-")]);
  return [...hostsIn(linesOf(section, "+"))].filter((host) => !before.has(host) && !registries.has(host));
}

function lockEffect(section: Section, path: string, changed: readonly string[]): EffectFound | undefined {
  const { folder, name } = split(path);
  const rule = manifests.find(([lock]) => lock.test(name));
  const manifest =
    rule && changed.find((other) => split(other).folder.startsWith(folder) && rule[1].test(split(other).name));
  if (!manifest || section.newPath === null) return undefined;
  if (section.body.kind !== "hunks") return undefined;
  const [host] = newHosts(section);
  if (host !== undefined) return { effect: "weakens", note: `packages come from a new place: ${host}` };
  return { effect: "follows", note: `it follows ${manifest.slice(folder.length)}, which this patch changes` };
}

/** `__snapshots__/a.test.ts.snap` and `a.test.ts-snapshots/x.png` belong to `a.test.ts`. */
function testOfSnapshot(path: string, changed: readonly string[]): string | undefined {
  return changed.find((other) => {
    const { name } = split(other);
    return other !== path && name.includes(".") && path.split("/").some((part) => isNamedAfter(part, name));
  });
}

const isNamedAfter = (part: string, name: string) =>
  part === `${name}.snap` ||
  part === `${name}-snapshots` ||
  part === `${name.replace(/\.py$/, "")}.ambr` ||
  part === `${name}.snapshot` ||
  // `ReportTest.monthly.approved.txt` beside `ReportTest.java`
  (/\.approved(?:\.\w+)?$/.test(part) && part.startsWith(`${name.replace(/\.\w+$/, "")}.`));

export function effectOf(
  section: Section,
  path: string,
  kinds: readonly PathKind[],
  sections: readonly Section[],
): EffectFound {
  const changed = sections.flatMap(({ newPath }) => (newPath === null ? [] : [newPath]));
  if (kinds.includes("lockfile")) return lockEffect(section, path, changed) ?? { effect: "weakens", note: "" };
  const isNew = section.newPath === path && section.oldPath === null;
  if (isNew && onlyAdds(path, kinds)) return { effect: "adds", note: "it is new and takes nothing away" };
  const test = kinds.includes("snapshot") && section.newPath !== null ? testOfSnapshot(path, changed) : undefined;
  if (test !== undefined)
    return { effect: "follows", note: `it follows ${split(test).name}, which this patch changes` };
  return { effect: "weakens", note: "" };
}
