// Bundles the programs and the library, with lazily loaded parts as chunks of their own.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { builtins } from "./builtins.ts";

/** The modules that every start and the quickest commands load, in a few files instead of twenty. */
export const groupedModules = {
  // All that the help of a program needs, when the build has written it.
  start: [
    "src/platform/system/(installed-file|once|streams).ts",
    "src/surfaces/argv/stored-help.ts",
    "src/app/stored-help.ts",
    "builtin:process",
  ],
  base: [
    "src/core/contract/(store|failure|index|command-place|plain|did-you-mean|disk-failure|json|suggestion|text).ts",
    "src/app/(environment|stop-signals).ts",
    "src/surfaces/argv/(?!completion-scripts|help|failure-report).*.ts",
    "src/operations/define/(?!json-schema).*.ts",
    "package.json",
    // The files that `status`, `runs` and `top` need beside that; help of `thehood` is derived from all of its operations.
    "src/workspace/judge/judges.ts",
    "src/app/ports.ts",
    "src/app/thehood/start.ts",
    "src/surfaces/cli/(context|program|spell).ts",
    "src/surfaces/cli/render/(renderers|view).ts",
    "src/operations/perform.ts",
    "src/operations/context/.*.ts",
    "src/operations/read/quick.ts",
    "src/operations/run-data/(advance|output).ts",
  ],
  operations: [
    "src/surfaces/argv/help.ts",
    "src/operations/(all|index).ts",
    "src/core/contract/(config-keys|agent-programs).ts",
    "src/operations/(start|read|decide|side-tasks|hosts|setup|repo|gateway|fleet)/(?!read-tools|handle-).*.ts",
    "src/operations/check/(fields|judges|patch).ts",
    "src/operations/run-data/(fields|exit).ts",
  ],
  "transport-words": ["src/core/contract/transport/(text|blank|options).ts", "src/operations/oracle/browser.ts"],
  list: [
    "src/platform/store/(?!copy|retention|spool)[^/]*.ts",
    "src/platform/system/(?!terminal-device)[^/]*.ts",
    "src/core/contract/deps.ts",
    "src/operations/run-data/(row|pages|process-state).ts",
    "src/platform/git/(locate|location|state-home|index|index-file).ts",
    "src/runtime/runs/(open|on-demand|read-only|find-run).ts",
    "src/runtime/runs/store/open.ts",
    "src/app/(runs|late-runner).ts",
    "src/platform/config/shared-store.ts",
    "src/runtime/runs/background/started.ts",
    "src/surfaces/cli/render/list.ts",
  ],
  // The first screen of the terminal; what a run or a gate needs beside it is loaded with the first of them.
  terminal: [
    "src/platform/system/terminal-device.ts",
    "src/operations/run-data/everywhere.ts",
    "src/core/machine/view/risk.ts",
    "src/runtime/runs/repositories/.*.ts",
    "src/surfaces/terminal/index.ts",
    "src/surfaces/terminal/(screen|text)/.*.ts",
    "src/surfaces/terminal/views/(page|list|text).ts",
    "src/surfaces/terminal/interactive/(top|list-view|list-actions|open|view|text-view).ts",
  ],
};

const matcher = (pattern: string) => new RegExp(`[/\\0](?:${pattern.replaceAll(".ts", "\\.ts")})$`);

const groups = Object.entries(groupedModules).map(([name, patterns]) => ({
  name,
  test: matcher(patterns.join("|")),
}));

/** "a/(b|c).ts" → "a/(b).ts", "a/(c).ts": the pattern once for each alternative of each choice, the others unchanged. */
function alternatives(pattern: string): string[] {
  const choices = [...pattern.matchAll(/\(([^)]*)\)/g)];
  if (choices.length === 0) return [pattern];
  return choices.flatMap(({ index, 0: all, 1: names = "" }) =>
    names.split("|").map((name) => `${pattern.slice(0, index)}(${name})${pattern.slice(index + all.length)}`),
  );
}

/** The patterns, as `group: pattern`, that match none of these modules: a renamed file would leave its group unnoticed. */
export function stalePatterns(
  modules: readonly string[],
  named: Readonly<Record<string, readonly string[]>> = groupedModules,
): string[] {
  return Object.entries(named).flatMap(([group, patterns]) =>
    patterns
      .flatMap(alternatives)
      .filter((pattern) => !modules.some((id) => matcher(pattern).test(id)))
      .map((pattern) => `${group}: ${pattern}`),
  );
}

/** Writes the bundle, with these entries added, into `dist` and gives the paths of all modules that went into it. */
export async function bundle(
  root: string,
  dist: string,
  entries: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const made = await rolldown({
    cwd: root,
    input: {
      thehood: "src/app/thehood.ts",
      oracle: "src/app/oracle.ts",
      "apply-mover": "src/workspace/checkout/apply/mover.ts",
      "browser-keeper": "src/oracle/browser/process/main.ts",
      "gateway-init": "src/gateway/in-sandbox/init.ts",
      index: "src/app/library.ts",
      ...entries,
    },
    platform: "node",
    plugins: [builtins],
    treeshake: true,
    preserveEntrySignatures: "allow-extension",
    // The wasm loader of the shell parser evaluates text only for features that its grammar does not use.
    checks: { eval: false },
    // jsonc-parser's "main" is a form that cannot be bundled; its "module" can.
    resolve: { mainFields: ["module", "main"] },
  });
  const { output } = await made.write({
    dir: dist,
    // Scripts start faster than modules, and both `import` and `require` can load the library.
    format: "cjs",
    // A script's own import() is experimental and says so on stderr; Node's modules can be required as well.
    dynamicImportInCjs: false,
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    // Names stay, for stack traces. Plain ASCII without comments and blanks takes V8 the least memory, so that a short
    // command ends before its first garbage collection.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true, asciiOnly: true } },
    comments: false,
    codeSplitting: { includeDependenciesRecursively: false, groups },
  });
  await made.close();
  const chunks = output.flatMap((part) => (part.type === "chunk" ? [part] : []));
  refuseForeignEntries(new Map(chunks.map((chunk) => [chunk.fileName, chunk])));
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds);
  const stale = stalePatterns(modules);
  if (stale.length > 0)
    throw new Error(
      `scripts/build/bundle.ts names modules that are not part of the bundle (renamed, merged or types only?). Mend groupedModules:\n${stale.map((line) => `  ${line}`).join("\n")}`,
    );
  return modules;
}

interface Chunk {
  readonly fileName: string;
  readonly isEntry: boolean;
  readonly imports: readonly string[];
  readonly dynamicImports: readonly string[];
}

/** Loading an entry starts its program, so that no other program may reach it: a shared module needs a group. */
function refuseForeignEntries(chunks: ReadonlyMap<string, Chunk>): void {
  for (const { fileName: entry, isEntry } of chunks.values()) {
    if (!isEntry) continue;
    const reached = new Set([entry]);
    for (const name of reached) {
      const { imports = [], dynamicImports = [] } = chunks.get(name) ?? {};
      for (const next of [...imports, ...dynamicImports]) reached.add(next);
      if (name !== entry && chunks.get(name)?.isEntry)
        throw new Error(`${entry} would start ${name}: put the module that they share into a group`);
    }
  }
}

/** Page code runs inside a web page: one script each, kept as text and given to the browser. */
export async function bundlePages(root: string, dist: string): Promise<string[]> {
  const modules: string[] = [];
  for (const name of ["page", "clipboard"]) {
    const input = `src/oracle/browser/page/${name}.ts`;
    const made = await rolldown({ cwd: root, input, platform: "browser", treeshake: true });
    const { output } = await made.generate({ format: "iife", minify: true, comments: false });
    await made.close();
    modules.push(...output[0].moduleIds);
    writeFileSync(join(dist, `browser-${name}.txt`), output[0].code);
  }
  return modules;
}

/** The package that the tools of a sandbox import, and the program `proliferate`: each one module, kept as text. */
export async function bundleTools(root: string, dist: string): Promise<string[]> {
  const input = "src/gateway/in-sandbox/tool-package.ts";
  const made = await rolldown({ cwd: root, input, platform: "neutral", treeshake: true });
  const { output } = await made.generate({ format: "esm", minify: true, comments: false });
  await made.close();
  writeFileSync(join(dist, "gateway-tools.txt"), output[0].code);
  const client = await rolldown({
    cwd: root,
    input: "src/gateway/in-sandbox/actions.ts",
    platform: "neutral",
    treeshake: true,
  });
  const { output: actions } = await client.generate({ format: "esm", minify: true, comments: false });
  await client.close();
  writeFileSync(join(dist, "gateway-actions.txt"), actions[0].code);
  return [...output[0].moduleIds, ...actions[0].moduleIds];
}
