// Rust, Go, JVM, .NET, Swift, Elixir: one manifest, the tool's own test command, offline.
import { type Finder, check, firstOf, everyOne, folderOf, hasFile, nothing, topmost, parseJsonFile } from "../tree.ts";
import { type CheckKind, isRecord } from "../../../core/contract/index.ts";

const found = (...checks: ReturnType<typeof check>[]) => ({ checks, findings: [] });

// oxlint-disable require-await -- finders share one asynchronous shape
export const findRust: Finder = async (tree) => {
  const manifests = topmost(tree, "Cargo.toml");
  const checks = await Promise.all(
    manifests.map(async (path) => {
      const members = /^\[workspace\]/m.test((await tree.read(path)) ?? "") ? ["--workspace"] : [];
      return check(path, "test", ["cargo", "test", "--offline", ...members], folderOf(path));
    }),
  );
  return found(...checks);
};

export const findGo: Finder = async (tree) =>
  found(
    // `./...` of the outer module does not reach a module inside it.
    ...everyOne(tree, "go.mod").flatMap((path) => {
      const at = folderOf(path);
      return [
        check(path, "build", ["go", "build", "./..."], at),
        check(path, "lint", ["go", "vet", "./..."], at),
        check(path, "test", ["go", "test", "./..."], at),
      ];
    }),
  );

export const findJvm: Finder = async (tree) => {
  const gradle = firstOf(tree, "build.gradle.kts", "build.gradle", "settings.gradle.kts", "settings.gradle");
  if (gradle) {
    const program = hasFile(tree, "gradlew") ? "./gradlew" : "gradle";
    return found(check(gradle, "test", [program, "check", "--offline", "--no-daemon", "--console=plain"]));
  }
  if (!hasFile(tree, "pom.xml")) return nothing;
  return found(check("pom.xml", "test", [hasFile(tree, "mvnw") ? "./mvnw" : "mvn", "-o", "-B", "test"]));
};

export const findDotnet: Finder = async (tree) => {
  const manifest = tree.paths.find((path) => /^[^/]+\.(sln|slnx|csproj|fsproj)$/.test(path));
  if (!manifest) return nothing;
  return found(
    check(manifest, "build", ["dotnet", "build", "--no-restore"]),
    check(manifest, "test", ["dotnet", "test", "--no-restore"]),
  );
};

export const findSwift: Finder = async (tree) =>
  hasFile(tree, "Package.swift") ? found(check("Package.swift", "test", ["swift", "test"])) : nothing;

/** Built in a folder of its own, so that a build folder of the user stays as it is. */
const configureCmake = "cmake -S . -B build-check && cmake --build build-check";

export const findCmake: Finder = async (tree) => {
  if (!hasFile(tree, "CMakeLists.txt")) return nothing;
  const hasTests = /^[ \t]*(?:enable_testing|add_test|include\s*\(\s*CTest)\b/im.test(
    (await tree.read("CMakeLists.txt")) ?? "",
  );
  const run = `${configureCmake} && ctest --test-dir build-check --output-on-failure --no-tests=error`;
  const line = hasTests ? run : configureCmake;
  const kind = hasTests ? "test" : "build";
  return found({ ...check("CMakeLists.txt", kind, ["bash", "-c", line]), id: `cmake:${kind}` });
};

export const findElixir: Finder = async (tree) =>
  hasFile(tree, "mix.exs") ? found(check("mix.exs", "test", ["mix", "test"])) : nothing;

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
  if (config && !checks.some(({ kind }) => kind === "test")) checks.push(check(config, "test", ["vendor/bin/phpunit"]));
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
  else if (/TestTask|task\s+:?(default|test)\b/.test(rake)) checks.push(check("Rakefile", "test", run("rake", "test")));
  return { checks, findings: [] };
};

// oxlint-disable-next-line require-await -- finders share one asynchronous shape
export const findDeno: Finder = async (tree) => {
  const manifest = firstOf(tree, "deno.json", "deno.jsonc");
  if (!manifest) return nothing;
  return {
    checks: [check(manifest, "lint", ["deno", "lint"]), check(manifest, "test", ["deno", "test", "--cached-only"])],
    findings: [],
  };
};
