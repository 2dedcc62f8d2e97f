// Whose word the server's environment is. A repository can ship a file that starts us with variables of its choice; so
// what it could set must not move the user's policy into the repository, nor loosen it.
import { existsSync, realpathSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join, sep } from "node:path";
import { fail } from "../../contract/index.ts";
import { readEnvironment, type Environment } from "../environment.ts";

const real = (path: string): string => {
  for (let at = path, rest = ""; ; rest = at.slice(dirname(at).length) + rest, at = dirname(at)) {
    if (existsSync(at)) return realpathSync(at) + rest;
    if (dirname(at) === at) return path;
  }
};

/** The checkout a folder belongs to, told by its `.git` alone; the folder itself outside of any. */
function checkoutOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return folder;
  }
}

/** A person's own configuration may lie in a checkout of their own home; nobody else's may. */
const usual = (): string => join(userInfo().homedir, ".config", "thehood");

export function trustedEnvironment(roots: readonly string[]): Environment {
  const environment = readEnvironment();
  const config = real(environment.configDir);
  const inside = roots.map(checkoutOf).find((top) => config === top || config.startsWith(top + sep));
  if (inside !== undefined && config !== real(usual()))
    fail(
      "permission_denied",
      `The configuration folder ${environment.configDir} lies in the served repository.`,
      {
        remedy:
          "A repository cannot give itself a policy: leave THEHOOD_HOME, XDG_CONFIG_HOME and HOME as they are.",
      },
    );
  // Editing the checkout itself is allowed by a person in a terminal, not by whatever started this server.
  return { ...environment, allowDirectEdit: false };
}
