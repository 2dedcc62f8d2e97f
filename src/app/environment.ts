// The environment of `thehood`, read once. No other room looks at it.
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { Environment } from "../platform/config/index.ts";

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

/** The key of the user and the signed heads of logs; no program that we start sees this folder. */
export const evidenceDir = ({ stateDir }: Environment): string => join(stateDir, "evidence");
