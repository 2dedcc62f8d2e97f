// CI files: plain one-line steps that call a known test, lint or build program, for kinds nothing else names.
import type { CheckKind, CheckSpec } from "../../../core/contract/index.ts";
import { type Finder, defaultTimeoutMs } from "../tree.ts";

const files = /^(\.github\/workflows\/[^/]+\.ya?ml|\.gitlab-ci\.yml|\.circleci\/config\.yml)$/;

/** A line counts when it begins so; one that installs, publishes or needs a secret never does. */
const known: readonly (readonly [CheckKind, RegExp])[] = [
  ["typecheck", /^(npx |pnpm |yarn )?(tsc|mypy|pyright)\b/],
  ["lint", /^(npx |pnpm |yarn )?(eslint|ruff check|flake8|golangci-lint run|rubocop|cargo clippy)\b/],
  [
    "test",
    /^(ctest|bats|prove|tox|nox|(python3? -m )?(pytest|unittest)|(npx )?(jest|vitest run|mocha|ava)|cargo test|go test|mix test|bundle exec rspec|busted|zig build test|sbt test|lein test|stack test|cabal test|dart test|flutter test|make (test|check))\b/,
  ],
  [
    "build",
    /^(cmake --build|zig build|cargo build|go build|make( all)?$|sbt compile|stack build|cabal build)\b/,
  ],
];
const refused = /\$\{\{|\$\(|`|\bsudo\b|\bcurl\b|\bwget\b|\bdocker\b|\bdeploy\b|\bpublish\b|\binstall\b/;

export const findCi: Finder = async (tree) => {
  const checks = new Map<CheckKind, CheckSpec>();
  for (const path of tree.paths.filter((name) => files.test(name)).slice(0, 20)) {
    const text = (await tree.read(path)) ?? "";
    for (const match of text.matchAll(/^[ \t]*(?:-[ \t]*)?(?:run:|-)[ \t]+(?![|>])(.{1,300})$/gm)) {
      const line = (match[1] ?? "").trim().replaceAll(/^["']|["']$/g, "");
      const kind = known.find(([, pattern]) => pattern.test(line))?.[0];
      if (!kind || refused.test(line) || checks.has(kind)) continue;
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
