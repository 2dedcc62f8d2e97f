// The environment and the version of `thehood`. Only the app reads the environment.
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { Environment } from "../platform/config/index.ts";
import pkg from "../../package.json" with { type: "json" };

export type { Environment } from "../platform/config/index.ts";

export function readEnvironment(env: NodeJS.ProcessEnv = process.env): Environment {
  const home = env["HOME"] || homedir();
  const xdg = env["XDG_CONFIG_HOME"];
  const state = env["XDG_STATE_HOME"];
  return {
    home,
    stateDir: env["THEHOOD_HOME"]
      ? join(env["THEHOOD_HOME"], "state")
      : join(state?.startsWith("/") ? state : join(home, ".local", "state"), "thehood"),
    configDir: env["THEHOOD_HOME"] || join(xdg?.startsWith("/") ? xdg : join(home, ".config"), "thehood"),
    variables: env,
    allowDirectEdit: env["THEHOOD_ALLOW_DIRECT_EDIT"] === "1",
  };
}

/** The key of the user and the signed heads of logs; programs that we start do not see this folder. */
export const evidenceDir = ({ stateDir }: Environment): string => join(stateDir, "evidence");

/** The version of the package, the same for each program in it. */
export const version: string = pkg.version;
