// Loads TypeScript, JSON and modules without an ending as bundlers and test runners do, in a plain process of Node.
import { existsSync, readFileSync, statSync } from "node:fs";
import * as node from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

const isFile = (path) => existsSync(path) && statSync(path).isFile();
const typed = /\.(?:[cm]?ts|[jt]sx)$/;

export async function resolve(specifier, context, next) {
  try {
    return await next(specifier, context);
  } catch (error) {
    if (!/^\.{1,2}\/|^\//.test(specifier) || !context.parentURL?.startsWith("file:")) throw error;
    const path = fileURLToPath(new URL(specifier, context.parentURL));
    const bare = path.replace(/\.([cm]?)jsx?$/, "");
    const places = [".ts", ".mts", ".cts", ".tsx", ".js", ".jsx", ".json", "/index.ts", "/index.js"];
    const found = [bare, path].flatMap((stem) => places.map((end) => stem + end)).find(isFile);
    if (found === undefined) throw error;
    return { url: pathToFileURL(found).href, shortCircuit: true };
  }
}

function plainText(path, text) {
  if (text.startsWith("/* types removed */")) return text;
  const require = node.createRequire(path);
  try {
    const { transformSync } = require("esbuild");
    return transformSync(text, {
      loader: path.endsWith("x") ? "tsx" : "ts",
      format: "esm",
      jsx: "automatic",
      target: "node20",
    }).code;
  } catch {
    // The project has no esbuild.
  }
  try {
    const { transpileModule, ModuleKind, ScriptTarget, JsxEmit } = require("typescript");
    const compilerOptions = { module: ModuleKind.ESNext, target: ScriptTarget.ES2022, jsx: JsxEmit.ReactJSX };
    return transpileModule(text, { compilerOptions, fileName: path }).outputText;
  } catch {
    // Nor TypeScript.
  }
  return node.stripTypeScriptTypes(text, { mode: "transform" });
}

export async function load(url, context, next) {
  if (!url.startsWith("file:") || url.includes("/node_modules/")) return next(url, context);
  const path = fileURLToPath(url);
  if (path.endsWith(".json") && !context.importAttributes?.type)
    return { format: "module", source: `export default ${readFileSync(path, "utf8")}`, shortCircuit: true };
  if (!typed.test(path) && !path.endsWith(".js")) return next(url, context);
  const text = readFileSync(path, "utf8");
  const isModule = /^\s*(?:import|export)\b/m.test(text);
  if (typed.test(path))
    return { format: isModule ? "module" : "commonjs", source: plainText(path, text), shortCircuit: true };
  return isModule ? { format: "module", source: text, shortCircuit: true } : next(url, context);
}
