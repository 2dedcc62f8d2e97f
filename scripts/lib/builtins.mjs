// A plugin for the bundler: takes Node's own modules by `process.getBuiltinModule` instead of `import`.
// An import makes Node read every property of the module, and reading `process.stdin` or `fs.promises` loads what
// few commands need: about 8 ms for process and 5 ms for fs, where an empty program takes 35 (Node 24.21, 2026-11).
import { isBuiltin } from "node:module";
import process from "node:process";

const prefix = "\0builtin:";
const lazy = ["node:fs", "node:process"];

export const builtins = {
  name: "builtins",
  resolveId: (source) => (lazy.includes(source) ? `${prefix}${source}` : isBuiltin(source) ? false : null),
  load: (id) => {
    if (!id.startsWith(prefix)) return null;
    const name = id.slice(prefix.length);
    if (name === "node:process") return { code: "export default process;", moduleSideEffects: false };
    const found = Object.getOwnPropertyDescriptors(process.getBuiltinModule(name));
    const plain = Object.keys(found).filter((key) => "value" in found[key] && key !== "default");
    const code = [
      `const builtin = /* @__PURE__ */ process.getBuiltinModule(${JSON.stringify(name)});`,
      "export default builtin;",
      `export const { ${plain.join(", ")} } = builtin;`,
    ].join("\n");
    return { code, moduleSideEffects: false };
  },
};
