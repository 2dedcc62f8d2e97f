// Makefile and justfile targets, for the kinds of check that no manifest named.
import type { CheckKind, CheckSpec } from "../../../core/contract/index.ts";
import { type Finder, type TreeFiles, check, firstOf, defaultTimeoutMs } from "../tree.ts";
import { isRefused, readCi, singleLines } from "./ci-lines.ts";

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
  const names = [...text.matchAll(/^[s-]?include[ \t]+(.+)$/gm)].flatMap((match) => (match[1] ?? "").split(/\s+/));
  const texts = await Promise.all(names.slice(0, 20).map((name) => tree.read(name.replace(/^\.\//, ""))));
  return [text, ...texts.map((one) => one ?? "")].join("\n");
}

/** A line counts when it begins so; one that installs, publishes or needs a secret never does. */
const known: readonly (readonly [CheckKind, RegExp])[] = [
  ["typecheck", /^(npx |pnpm |yarn )?(tsc|mypy|pyright)\b/],
  ["lint", /^(npx |pnpm |yarn )?(eslint|ruff check|flake8|golangci-lint run|rubocop|cargo clippy)\b/],
  [
    "test",
    /^(ctest|bats|prove|tox|nox|(python3? -m )?(pytest|unittest)|(npx )?(jest|vitest run|mocha|ava)|cargo test|go test|mix test|bundle exec rspec|busted|zig build test|sbt test|lein test|stack test|cabal test|dart test|flutter test|make (test|check))\b/,
  ],
  ["build", /^(cmake --build|zig build|cargo build|go build|make( all)?$|sbt compile|stack build|cabal build)\b/],
];

export const findCi: Finder = async (tree) => {
  const checks = new Map<CheckKind, CheckSpec>();
  for (const { path, text } of await readCi(tree)) {
    for (const line of singleLines(text)) {
      const kind = known.find(([, pattern]) => pattern.test(line))?.[0];
      if (!kind || isRefused(line) || checks.has(kind)) continue;
      checks.set(kind, {
        id: `ci:${kind}`,
        kind,
        argv: ["bash", "-c", line],
        cwd: "",
        source: path,
        timeoutMs: defaultTimeoutMs,
      });
    }
  }
  return { checks: [...checks.values()], findings: [] };
};
