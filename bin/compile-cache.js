// Node keeps the compiled code of our files from one start to the next, in a folder that only this user writes: code
// from a shared folder such as /tmp, or from the folder a command happens to run in, could come from another user.
"use strict";
const fs = require("node:fs");
const { enableCompileCache } = require("node:module");
const { homedir } = require("node:os");
const { isAbsolute, join } = require("node:path");

/** The folder for caches as each system names it; empty where the user has none. */
function userCache() {
  const { env, platform } = process;
  if (platform === "win32") return env.LOCALAPPDATA || "";
  if (env.XDG_CACHE_HOME) return env.XDG_CACHE_HOME;
  return join(homedir(), platform === "darwin" ? "Library/Caches" : ".cache");
}

/** A clone keeps the code in `made`, its folder for made things; an installed package keeps it in the user's cache. */
exports.keepCompiled = (made) => {
  if (process.env.NODE_COMPILE_CACHE) return;
  const folder = fs.existsSync(made) ? made : join(userCache(), "thehood");
  // A folder that cannot be written costs only the time it would save: Node says so in its result and goes on.
  if (isAbsolute(folder)) enableCompileCache(join(folder, "compile-cache"));
};
