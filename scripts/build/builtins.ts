// A plugin for the bundler: takes `node:process` from the global object. As a module its every property would be copied.
import { isBuiltin } from "node:module";
import type { Plugin } from "rolldown";

const id = "\0builtin:process";

export const builtins: Plugin = {
  name: "builtins",
  resolveId: (source) => (source === "node:process" ? id : isBuiltin(source) ? false : null),
  load: (wanted) => (wanted === id ? { code: "export default process;", moduleSideEffects: false } : null),
};
