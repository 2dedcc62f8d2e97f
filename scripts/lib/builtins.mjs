// A plugin for the bundler: takes `node:process` from the global object. As a module its every property would be copied.
import { isBuiltin } from "node:module";

const id = "\0builtin:process";

export const builtins = {
  name: "builtins",
  resolveId: (source) => (source === "node:process" ? id : isBuiltin(source) ? false : null),
  load: (wanted) => (wanted === id ? { code: "export default process;", moduleSideEffects: false } : null),
};
