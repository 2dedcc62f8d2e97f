// PHP, Ruby and Deno: the scripts or runners their manifests name.
import type { CheckKind } from "../../../core/contract/index.ts";
import { type Finder, check, firstOf, hasFile, isRecord, nothing, parseJsonFile } from "../tree.ts";

export const findPhp: Finder = async (tree) => {
  if (!hasFile(tree, "composer.json")) return nothing;
  const manifest = parseJsonFile((await tree.read("composer.json")) ?? "");
  if (!isRecord(manifest)) return { checks: [], findings: ["composer.json cannot be read"] };
  const scripts = isRecord(manifest["scripts"]) ? manifest["scripts"] : {};
  const wanted: readonly (readonly [CheckKind, readonly string[]])[] = [
    ["typecheck", ["phpstan", "analyse", "analyze", "psalm"]],
    ["lint", ["lint", "cs", "phpcs"]],
    ["test", ["test", "tests", "phpunit"]],
  ];
  const checks = wanted.flatMap(([kind, names]) => {
    const name = names.find((candidate) => candidate in scripts);
    return name ? [check("composer.json", kind, ["composer", "run-script", name])] : [];
  });
  const config = firstOf(tree, "phpunit.xml", "phpunit.xml.dist");
  if (config && !checks.some(({ kind }) => kind === "test"))
    checks.push(check(config, "test", ["vendor/bin/phpunit"]));
  return { checks, findings: [] };
};

export const findRuby: Finder = async (tree) => {
  const bundle = hasFile(tree, "Gemfile") ? ["bundle", "exec"] : [];
  const run = (...argv: string[]) => [...bundle, ...argv] as [string, ...string[]];
  const checks = [];
  if (hasFile(tree, ".rubocop.yml")) checks.push(check(".rubocop.yml", "lint", run("rubocop")));
  const rake = (await tree.read("Rakefile")) ?? "";
  if (hasFile(tree, ".rspec") || tree.paths.some((path) => /^spec\/.*_spec\.rb$/.test(path)))
    checks.push(check("spec", "test", run("rspec")));
  else if (/TestTask|task\s+:?(default|test)\b/.test(rake))
    checks.push(check("Rakefile", "test", run("rake", "test")));
  return { checks, findings: [] };
};

// oxlint-disable-next-line require-await -- finders share one asynchronous shape
export const findDeno: Finder = async (tree) => {
  const manifest = firstOf(tree, "deno.json", "deno.jsonc");
  if (!manifest) return nothing;
  return {
    checks: [
      check(manifest, "lint", ["deno", "lint"]),
      check(manifest, "test", ["deno", "test", "--cached-only"]),
    ],
    findings: [],
  };
};
