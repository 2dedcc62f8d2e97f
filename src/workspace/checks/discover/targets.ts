// Makefile and justfile targets, for the kinds of check that no manifest named.
import type { CheckKind, CheckSpec } from "../../../core/contract/index.ts";
import { type Finder, type TreeFiles, check, firstOf } from "../tree.ts";

const wanted: readonly (readonly [CheckKind, readonly string[]])[] = [
  ["typecheck", ["typecheck", "types"]],
  ["lint", ["lint"]],
  ["test", ["test", "tests", "check"]],
  ["build", ["build"]],
];

export const findTargets: Finder = async (tree) => ({
  checks: [
    ...(await from(tree, "make", firstOf(tree, "GNUmakefile", "makefile", "Makefile"))),
    ...(await from(tree, "just", firstOf(tree, "justfile", "Justfile", ".justfile"))),
  ],
  findings: [],
});

async function from(tree: TreeFiles, program: string, file: string | undefined): Promise<CheckSpec[]> {
  if (!file) return [];
  const text = await withIncludes(tree, (await tree.read(file)) ?? "");
  const heads = [...text.matchAll(/^@?([A-Za-z0-9_][^:\n]*):(?!=)/gm)].map((match) => match[1] ?? "");
  const names = new Set(
    program === "make"
      ? heads.filter((head) => !head.includes("=")).flatMap((head) => head.trim().split(/\s+/))
      : heads.map((head) => head.split(/\s/)[0] ?? ""),
  );
  return wanted.flatMap(([kind, candidates]) => {
    const name = candidates.find((candidate) => names.has(candidate));
    return name ? [check(file, kind, [program, name])] : [];
  });
}

/** A Makefile with what it includes by name, one level deep. */
async function withIncludes(tree: TreeFiles, text: string): Promise<string> {
  const names = [...text.matchAll(/^[s-]?include[ \t]+(.+)$/gm)].flatMap((match) =>
    (match[1] ?? "").split(/\s+/),
  );
  const texts = await Promise.all(names.slice(0, 20).map((name) => tree.read(name.replace(/^\.\//, ""))));
  return [text, ...texts.map((one) => one ?? "")].join("\n");
}
