// Bundles the two programs into dist/, with lazily loaded parts as chunks of their own.
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { root } from "./lib/bootstrap.mjs";
import { builtins } from "./lib/builtins.mjs";

const dist = join(root, "dist");
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });

const bundle = await rolldown({
  cwd: root,
  input: {
    thehood: "src/app/thehood.ts",
    oracle: "src/app/oracle.ts",
    "apply-mover": "src/workspace/apply/mover.ts",
  },
  platform: "node",
  plugins: [builtins],
  treeshake: true,
  // The wasm loader of the shell parser evaluates text only for features that its grammar does not use.
  checks: { eval: false },
  // jsonc-parser's "main" is a form that cannot be bundled; its "module" can.
  resolve: { mainFields: ["module", "main"] },
});
await bundle.write({
  dir: dist,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
  minify: false,
});
await bundle.close();

copyFileSync(
  join(root, "node_modules/web-tree-sitter/web-tree-sitter.wasm"),
  join(dist, "web-tree-sitter.wasm"),
);
copyFileSync(
  join(root, "node_modules/tree-sitter-bash/tree-sitter-bash.wasm"),
  join(dist, "tree-sitter-bash.wasm"),
);
