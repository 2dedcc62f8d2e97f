// What the environment says to `thehood`, read once. No other room looks at it.
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";

export interface Environment {
  readonly home: string;
  /** The folder of the user's configuration. */
  readonly configDir: string;
  /** Lets a local implementer edit the checkout itself. */
  readonly allowDirectEdit: boolean;
}

export function readEnvironment(env: NodeJS.ProcessEnv = process.env): Environment {
  const home = env["HOME"] || homedir();
  const xdg = env["XDG_CONFIG_HOME"];
  return {
    home,
    configDir: env["THEHOOD_HOME"] || join(xdg?.startsWith("/") ? xdg : join(home, ".config"), "thehood"),
    allowDirectEdit: env["THEHOOD_ALLOW_DIRECT_EDIT"] === "1",
  };
}
