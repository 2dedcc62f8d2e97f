// The user's git as a commit and a push need it: who they are, where their keys are. Their own settings, read only.
import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { findGit } from "../environment.ts";

export interface UserGit {
  readonly version: string;
  readonly author: { readonly name: string; readonly email: string };
  /** The folder of the hooks that the user's own git would run; null where git knows none. */
  readonly hooks: string | null;
  /** For a push only: where keys and agents are found. */
  readonly network: {
    readonly env: Readonly<Record<string, string>>;
    /** The user's own settings on logins, addresses and certificates, in their order. */
    readonly config: readonly (readonly [key: string, value: string])[];
  };
}

type Env = Readonly<Record<string, string | undefined>>;

const run = promisify(execFile);

/** Variables that point git at another repository than the one of the folder. */
const pointers = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR"];

async function ask(env: Env, cwd: string, ...args: string[]): Promise<string[]> {
  const git = findGit();
  if (git === undefined) return [];
  const plain = Object.fromEntries(Object.entries(env).filter(([name]) => !pointers.includes(name)));
  try {
    const { stdout } = await run(git, args, { cwd, env: plain, encoding: "utf8" });
    return stdout.split("\n").filter((line) => line !== "");
  } catch (error) {
    // git config exits with 1 when a key is not set.
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}

/** The variables by which ssh and https find the user's keys; nothing else of the environment goes along. */
const networkNames = (
  "HOME SSH_AUTH_SOCK SSH_AGENT_PID USER LOGNAME HTTPS_PROXY https_proxy NO_PROXY " +
  "GIT_SSL_CAINFO GIT_SSL_CAPATH SSL_CERT_FILE SSL_CERT_DIR XDG_CONFIG_HOME XDG_RUNTIME_DIR " +
  "DBUS_SESSION_BUS_ADDRESS GH_TOKEN GITHUB_TOKEN"
).split(" ");

const networkVariables = (env: Env): Record<string, string> =>
  Object.fromEntries(networkNames.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));

/** Settings on logins, addresses, certificates and proxies: what `gh auth setup-git` and companies' set-ups write. */
const wanted = /^(credential\.|url\..*\.(?:push)?insteadof$|http\.)/i;

/** Only settings of the user and the machine: a repository must not decide where keys come from. */
async function networkConfig(env: Env, home: string): Promise<(readonly [string, string])[]> {
  const listed = await ask(env, home, "config", "--list", "--show-scope", "-z");
  const words = listed.join("\n").split("\0");
  const settings: [string, string][] = [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [, key = "", value = ""] = /^([^\n]*)\n?([\s\S]*)$/.exec(words[at + 1] ?? "") ?? [];
    if (["system", "global"].includes(words[at] ?? "") && wanted.test(key)) settings.push([key, value]);
  }
  return settings;
}

/** The name of the user may differ from repository to repository, so git is asked there: reading a name runs nothing. */
export const userGitReader =
  (env: Env) =>
  async (top: string): Promise<UserGit> => {
    const home = homedir();
    const [version] = await ask(env, home, "--version");
    const [name] = await ask(env, top, "config", "--get", "user.name");
    const [email] = await ask(env, top, "config", "--get", "user.email");
    const [hooks] = await ask(env, top, "rev-parse", "--git-path", "hooks");
    return {
      hooks: hooks === undefined ? null : resolve(top, hooks),
      version: version?.replace(/^git version /, "") ?? "unknown",
      author: {
        name: env["GIT_AUTHOR_NAME"] || (name ?? "oracle"),
        email: env["GIT_AUTHOR_EMAIL"] || (email ?? "oracle@localhost"),
      },
      network: { env: networkVariables(env), config: await networkConfig(env, home) },
    };
  };
