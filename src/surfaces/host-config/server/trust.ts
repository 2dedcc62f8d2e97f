// The folders that a server of ours may serve, and the trust in its environment. A repository can ship a file that starts
// us with variables of its choice: they must not move the user's policy into the repository, nor loosen it.
import { existsSync, realpathSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join, sep } from "node:path";
import { fail } from "../../../core/contract/index.ts";
import type { Environment } from "../../../platform/config/index.ts";

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

/** The folders that are served, as they really are. */
export function servedRoots(roots: readonly string[]): string[] {
  return roots.map((root) => {
    const found = statSync(root, { throwIfNoEntry: false });
    if (!found?.isDirectory())
      fail("invalid_input", `There is no folder ${root}.`, {
        remedy: "Give existing folders with --repo and --root.",
      });
    const place = realpathSync(root);
    // An agent that works for a run may have us in its configuration too.
    const names = place.split(sep);
    const isState = names.some((name, at) => name === "thehood" && names[at - 1] === ".git");
    if (isState || names.includes(".thehood") || names.includes(".thehood-work"))
      fail("permission_denied", `${root} belongs to a run: an agent that works in it does not drive runs.`, {
        remedy: "Start the server in the repository itself.",
      });
    return place;
  });
}

/** A host that has no project open may start us at home, or at the top of everything: that is nobody's repository. */
export function refuseWholeHome(root: string, home: string): void {
  const place = existsSync(home) ? realpathSync(home) : home;
  if (place !== root && !place.startsWith(root.endsWith(sep) ? root : root + sep)) return;
  fail("invalid_input", `The server was started in ${root}, which holds your whole home folder.`, {
    remedy: "Start it in a repository, or name one: thehood mcp --repo DIR",
  });
}

/** The environment as far as a server may follow it; refused when the configuration is the repository's own. */
export function trustedEnvironment(environment: Environment, roots: readonly string[]): Environment {
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
  // Editing the checkout itself is allowed by a person in a terminal, not by the program that started this server.
  return { ...environment, allowDirectEdit: false };
}
