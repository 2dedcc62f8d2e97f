// Makes dist/: both programs and the library as scripts, the shell grammar, the reporters of checks, the types of the
// library, the manual pages; and the notices.
// A variant in another folder has only the scripts and the grammar. `--no-types` leaves the types and the manual pages out.
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { helpFile } from "../../src/surfaces/argv/stored-help.ts";
import { bundle, bundlePages, bundleTools } from "./bundle.ts";
import { bundledPackages, noticesOf } from "./notices.ts";
import { listFile, operationsList } from "./operations.ts";
import { bundleWeb } from "./web.ts";

const root = join(import.meta.dirname, "../..");
const { values, positionals } = parseArgs({
  options: { out: { type: "string" }, types: { type: "boolean", default: true } },
  allowNegative: true,
  allowPositionals: true,
});
const dist = resolve(root, values.out ?? "dist");
const entries = Object.fromEntries(positionals.map((pair) => pair.split("=")));
/** Files that are shipped as they are. */
const copied = [
  "node_modules/web-tree-sitter/web-tree-sitter.wasm",
  "vendor/tree-sitter-bash/tree-sitter-bash.wasm",
].map((path) => join(root, path));

/** A file that is right already keeps its time, so that the next build has nothing to do. */
function writeIfOther(file: string, text: string): void {
  if (readFileSync(file, "utf8") !== text) writeFileSync(file, text);
}

/** All is made here first, so that no program meets a folder that is half made. */
const making = join(root, ".build", `making-${process.pid}`);

writeIfOther(join(root, listFile), await operationsList(root));
mkdirSync(making, { recursive: true });
// A build that fails leaves nothing behind.
process.once("exit", () => rmSync(making, { recursive: true, force: true }));
const modules = [
  ...(await bundle(root, making, entries)),
  ...(await bundlePages(root, making)),
  ...(await bundleWeb(root, making)),
  ...(await bundleTools(root, making)),
];
writeFileSync(join(making, "package.json"), `${JSON.stringify({ type: "commonjs" })}\n`);
for (const file of copied) copyFileSync(file, join(making, basename(file)));
for (const program of ["thehood", "oracle"]) writeHelp(program);
const injected = { reporters: "checks/reporters", replay: "replay", clock: "checks/run" };
for (const [name, room] of Object.entries(injected))
  cpSync(join(root, "src/workspace", room, "injected"), join(making, name), { recursive: true });
if (values.out === undefined) {
  if (values.types) {
    // Imported here: a build without types does not load the compiler.
    const { libraryTypes } = await import("./types.ts");
    writeFileSync(join(making, "index.d.ts"), libraryTypes(root));
    // Imported here: the list of operations that the pages are derived from was written above.
    (await import("../reference/man.ts")).writeMan(making);
  }
  const packages = bundledPackages(root, [...modules, ...copied]);
  writeFileSync(join(root, "THIRD_PARTY_NOTICES"), noticesOf(packages));
}
// Read by scripts/lib/bootstrap.mjs: when it was built, and whether it has everything.
writeFileSync(join(making, ".built"), values.types ? "all" : "programs");
rmSync(dist, { recursive: true, force: true });
renameSync(making, dist);

/** A program without a written help derives it; what it says is kept, so that the next start only prints it. */
function writeHelp(program: string): void {
  const { NO_COLOR: _, ...env } = process.env;
  const help = execFileSync(process.execPath, [join(making, `${program}.js`), "--help"], {
    env: { ...env, FORCE_COLOR: "1" },
  });
  writeFileSync(join(making, helpFile(program)), help);
}
