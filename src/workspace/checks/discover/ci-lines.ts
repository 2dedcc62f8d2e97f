// The command lines of CI configurations. Pure but for reading the tree.
import type { TreeFiles } from "../tree.ts";

const files = /^(\.github\/workflows\/[^/]+\.ya?ml|\.gitlab-ci\.yml|\.circleci\/config\.yml)$/;
/** Files in which suites are looked for, and from which no check is taken. */
const others =
  /^(\.travis\.yml|\.?azure-pipelines\.ya?ml|bitbucket-pipelines\.yml|\.drone\.yml|\.buildkite\/pipeline\.ya?ml)$/;
const mostFiles = 20;

/** A line that installs, publishes or needs a secret is never run by us, and is no suite. */
export const isRefused = (line: string): boolean =>
  /\$\{\{|\$\(|`|\bsudo\b|\bcurl\b|\bwget\b|\bdocker\b|\bdeploy\b|\bpublish\b|\binstall\b/.test(line);

export async function readCi(
  tree: TreeFiles,
  all = false,
): Promise<{ readonly path: string; readonly text: string }[]> {
  const paths = tree.paths.filter((name) => files.test(name) || (all && others.test(name))).slice(0, mostFiles);
  return Promise.all(paths.map(async (path) => ({ path, text: (await tree.read(path)) ?? "" })));
}

const unquoted = (text: string): string => text.trim().replace(/^(["'])(.*)\1$/, "$2");

/** Commands that stand on the line of their key or of their list. */
export const singleLines = (text: string): string[] =>
  [
    ...text.matchAll(
      /^[ \t]*(?:-[ \t]*)?(?:(?:run|script|bash|command):|-(?![ \t]*(?:script|bash|command):))[ \t]+(?![|>])(.{1,300})$/gm,
    ),
  ].map((match) => unquoted(match[1] ?? ""));

const indentOf = (line: string): number => /^[ \t]*/.exec(line)?.[0].length ?? 0;

/** Commands in the block below a key: `run: |`. */
export function blockLines(text: string): string[] {
  const found: string[] = [];
  let below: number | null = null;
  for (const line of text.split("\n").slice(0, 5_000)) {
    if (line.trim() === "") continue;
    const indent = indentOf(line);
    if (below !== null && indent <= below) below = null;
    if (below !== null) found.push(line.trim().slice(0, 300));
    else if (/^[ \t]*(?:-[ \t]*)?(?:run|command|script|bash)?:?[ \t]*[|>][+-]?[ \t]*$/.test(line)) below = indent;
  }
  return found;
}
