// Bundles the two programs into dist/, with lazily loaded parts as chunks of their own.
// `--out FOLDER name=entry.ts` makes a variant elsewhere, with other entries; tests play a web page with one.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { rolldown } from "rolldown";
import { root } from "./lib/bootstrap.mjs";
import { builtins } from "./lib/builtins.mjs";
import { keepCode } from "./lib/keep-code.mjs";

const { values, positionals } = parseArgs({ options: { out: { type: "string" } }, allowPositionals: true });
const dist = resolve(root, values.out ?? "dist");
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });

const parts = (...names) => new RegExp(`[/\\0](?:${names.join("|").replaceAll(".ts", "\\.ts")})$`);

const bundle = await rolldown({
  cwd: root,
  input: {
    thehood: "src/app/thehood.ts",
    oracle: "src/app/oracle.ts",
    "apply-mover": "src/checkout/apply/mover.ts",
    ...Object.fromEntries(positionals.map((pair) => pair.split("="))),
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
await bundle.write({
  dir: dist,
  // Scripts, not modules: only of a script can the compiled code be kept with what has run in it (bin/load.js).
  format: "cjs",
  // A script's own import() is experimental and says so on stderr; Node's modules can be required as well.
  dynamicImportInCjs: false,
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
  // Lines stay lines, for stack traces. Plain ASCII without comments takes V8 half the memory, twice over.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
  comments: false,
  // What every start and the quickest commands load, in two files instead of twenty.
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [
      {
        name: "base",
        test: parts(
          "src/contract/(failure|index|plain|disk-failure).ts",
          "src/app/(io|version|judges|environment).ts",
          "src/system/once.ts",
          "src/contract/nearest/index.ts",
          "src/surfaces/cli/style.ts",
          "package.json",
          "builtin:process",
        ),
      },
      {
        name: "begin",
        test: parts("src/operations/(parse|fit|runs/start).ts"),
      },
      {
        name: "list",
        test: parts(
          "src/(store|system)/.*.ts",
          "src/contract/world.ts",
          "src/operations/runs/(row|attended).ts",
          "src/git/(locate|place|index|index-file|glance).ts",
          "src/paths/names/index.ts",
          "src/app/desk/list.ts",
          "src/surfaces/cli/(numbers|commands/status).ts",
        ),
      },
    ],
  },
});
await bundle.close();
writeFileSync(join(dist, "package.json"), `${JSON.stringify({ type: "commonjs" })}\n`);

copyFileSync(
  join(root, "node_modules/web-tree-sitter/web-tree-sitter.wasm"),
  join(dist, "web-tree-sitter.wasm"),
);
copyFileSync(
  join(root, "node_modules/tree-sitter-bash/tree-sitter-bash.wasm"),
  join(dist, "tree-sitter-bash.wasm"),
);
if (values.out === undefined) keepCode();
