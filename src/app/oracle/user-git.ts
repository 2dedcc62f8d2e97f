// The user's git as a commit and a push need it: who they are, where their keys are. Their own settings, read only.
import { execFile } from "node:child_process";
import { homedir } from "node:os";
import process from "node:process";
import { promisify } from "node:util";
import type { UserGit } from "../../transport/index.ts";

const run = promisify(execFile);

/** Runs in the home folder, so that no repository's configuration has a say. */
async function ask(...args: string[]): Promise<string[]> {
  try {
    const { stdout } = await run("git", args, { cwd: homedir(), encoding: "utf8" });
    return stdout.split("\n").filter((line) => line !== "");
  } catch (error) {
    // git config exits with 1 when a key is not set, and git may be missing altogether.
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}

const variable = (name: string) => process.env[name] || undefined;

/** What ssh and https need to find the user's keys; nothing else of the environment goes along. */
function networkVariables(): Record<string, string> {
  const names = [
    "HOME",
    "SSH_AUTH_SOCK",
    "SSH_AGENT_PID",
    "USER",
    "LOGNAME",
    "HTTPS_PROXY",
    "https_proxy",
    "NO_PROXY",
  ];
  return Object.fromEntries(names.flatMap((name) => (variable(name) ? [[name, variable(name) ?? ""]] : [])));
}

export async function readUserGit(): Promise<UserGit> {
  const [version] = await ask("--version");
  const [name] = await ask("config", "--global", "--get", "user.name");
  const [email] = await ask("config", "--global", "--get", "user.email");
  return {
    version: version?.replace(/^git version /, "") ?? "unknown",
    author: {
      name: variable("GIT_AUTHOR_NAME") ?? name ?? "oracle",
      email: variable("GIT_AUTHOR_EMAIL") ?? email ?? "oracle@localhost",
    },
    network: {
      env: networkVariables(),
      credentialHelpers: await ask("config", "--global", "--get-all", "credential.helper"),
    },
  };
}
