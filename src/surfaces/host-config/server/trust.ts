// The folders that a server may serve, and the trust in its environment. A repository can contain a file that starts us with
// variables of its choice: they must neither move the user's policy into the repository nor loosen it.
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

/** The checkout of a folder, found by `.git`; the folder itself if it is in no checkout. */
function checkoutOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return folder;
  }
}

/** Only the user's own configuration may be in a checkout, because the home folder may be one. */
const usual = (): string => join(userInfo().homedir, ".config", "thehood");

/** The real paths of the served folders. */
export function servedRoots(roots: readonly string[]): string[] {
  return roots.map((root) => {
    const found = statSync(root, { throwIfNoEntry: false });
    if (!found?.isDirectory())
      fail("invalid_input", `There is no folder ${root}.`, {
        remedy: "Give existing folders with --repo and --root.",
      });
    const path = realpathSync(root);
    // The configuration of an agent that works for a run may contain this server.
    const names = path.split(sep);
    const isState = names.some((name, at) => name === "thehood" && names[at - 1] === ".git");
    if (isState || names.includes(".thehood") || names.includes(".thehood-work"))
      fail("permission_denied", `${root} belongs to a run: an agent that works in it does not drive runs.`, {
        remedy: "Start the server in the repository.",
      });
    return path;
  });
}

/** A host without an open project may start us in the home folder or in the root folder: neither is a repository. */
export function refuseWholeHome(root: string, home: string): void {
  const realHome = existsSync(home) ? realpathSync(home) : home;
  if (realHome !== root && !realHome.startsWith(root.endsWith(sep) ? root : root + sep)) return;
  fail("invalid_input", `The server was started in ${root}, which contains your whole home folder.`, {
    remedy: "Start it in a repository, or name one: thehood mcp --repo DIR",
  });
}

/** The environment that a server may use; refused if the configuration is in the served repository. */
export function trustedEnvironment(environment: Environment, roots: readonly string[]): Environment {
  const config = real(environment.configDir);
  const inside = roots.map(checkoutOf).find((top) => config === top || config.startsWith(top + sep));
  if (inside !== undefined && config !== real(usual()))
    fail("permission_denied", `The configuration folder ${environment.configDir} is in the served repository.`, {
      remedy: "A repository cannot give itself a policy: leave THEHOOD_HOME, XDG_CONFIG_HOME and HOME as they are.",
    });
  // Only a user in a terminal allows direct edits of the checkout, not the program that started this server.
  return { ...environment, allowDirectEdit: false };
}
