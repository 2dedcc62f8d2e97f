// The whole environment of our git processes, built from nothing: no variable of the caller is inherited.
import { accessSync, constants } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { devNull } from "node:os";
import { fail } from "../../core/contract/index.ts";
import { userLineEnds } from "./line-ends.ts";
import type { Repository } from "./locate.ts";
import { fixedOverrides, type Override } from "./neutralise.ts";

/** Where systems and their package managers put git. */
const usualFolders =
  process.platform === "win32"
    ? ["C:\\Program Files\\Git\\cmd", "C:\\Program Files\\Git\\bin"]
    : [
        "/usr/bin",
        "/usr/local/bin",
        "/opt/homebrew/bin",
        "/bin",
        "/run/current-system/sw/bin",
        "/nix/var/nix/profiles/default/bin",
        "/home/linuxbrew/.linuxbrew/bin",
        "/opt/local/bin",
      ];

let program: string | undefined;

/** Another git than the one of the usual folders; an absolute path. */
export function useGitProgram(path: string): void {
  program = path;
  steady = undefined;
}

/** The git of this machine, if there is one. A search path is not asked: a repository may have put a folder on it. */
export function findGit(): string | undefined {
  program ??= usualFolders
    .map((folder) => join(folder, process.platform === "win32" ? "git.exe" : "git"))
    .find(isExecutable);
  return program;
}

export const gitProgram = (): string =>
  findGit() ??
  fail("git_failed", `git was not found in ${usualFolders.join(", ")}.`, {
    remedy: "Install git 2.31 or newer, then try again.",
  });

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface Surroundings {
  readonly indexFile?: string;
  readonly workTree?: string;
  readonly objectDirectory?: string;
  readonly author?: { readonly name: string; readonly email: string; readonly date?: string };
  /** Protocols a network command may use, and the variables its transport needs (HOME, SSH_AUTH_SOCK …). */
  readonly network?: {
    readonly protocols: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  };
  readonly config?: readonly Override[];
  /** Honour the line-end settings of the user and the repository instead of leaving bytes alone. */
  readonly convertLineEndings?: boolean;
}

/** The variables that every call has, made once: a call adds the few of its own. */
let steady: Readonly<Record<string, string>> | undefined;

function steadyVariables(): Record<string, string> {
  const env: Record<string, string> = {
    PATH: [dirname(gitProgram()), ...usualFolders].join(delimiter),
    LC_ALL: "C",
    LANGUAGE: "C",
    HOME: join(devNull, "home"),
    XDG_CONFIG_HOME: join(devNull, "config"),
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_SYSTEM: devNull,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ADVICE: "0",
    GIT_PAGER: "cat",
    GIT_EDITOR: "false",
    GIT_SEQUENCE_EDITOR: "false",
    GIT_ASKPASS: "false",
    SSH_ASKPASS: "false",
    SSH_ASKPASS_REQUIRE: "never",
    GIT_PROXY_COMMAND: "",
    GIT_MERGE_AUTOEDIT: "no",
  };
  addConfig(env, fixedOverrides, 0);
  // V8 copies an object that was filled one by one far more slowly than a copy of it.
  return { ...env };
}

function addConfig(env: Record<string, string>, config: readonly Override[], from: number): void {
  for (const [index, [key, value]] of config.entries()) {
    env[`GIT_CONFIG_KEY_${from + index}`] = key;
    env[`GIT_CONFIG_VALUE_${from + index}`] = value;
  }
}

/** git cuts a list of folders at each colon, but for names in quotes. */
const asOneOfAList = (path: string): string => (/[:"]/.test(path) ? JSON.stringify(path) : path);

/** `overrides` begin with the fixed ones, as `overridesFor` gives them. */
export function environmentFor(
  repository: Repository,
  overrides: readonly Override[],
  around: Surroundings,
): Record<string, string> {
  const config: Override[] = [...overrides.slice(fixedOverrides.length), ...(around.config ?? [])];
  if (around.convertLineEndings === true) config.push(...userLineEnds(gitProgram(), repository.top));
  else config.push(["core.autocrlf", "false"]);
  const { network } = around;
  for (const protocol of network?.protocols ?? []) config.push([`protocol.${protocol}.allow`, "always"]);
  if (network) config.push(["core.sshCommand", "ssh -oBatchMode=yes"]);
  const author = around.author ?? { name: "TheHood", email: "thehood@localhost" };
  const env: Record<string, string> = {
    ...network?.env,
    ...(steady ??= steadyVariables()),
    ...(network?.env?.["HOME"] === undefined ? undefined : { HOME: network.env["HOME"] }),
    GIT_DIR: repository.gitDir,
    GIT_WORK_TREE: around.workTree ?? repository.top,
    GIT_ALLOW_PROTOCOL: (network?.protocols ?? []).join(":"),
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: author.name,
    GIT_COMMITTER_EMAIL: author.email,
    GIT_CONFIG_COUNT: String(fixedOverrides.length + config.length),
  };
  if (!network) env["GIT_SSH_COMMAND"] = "false";
  if (author.date !== undefined) env["GIT_AUTHOR_DATE"] = env["GIT_COMMITTER_DATE"] = author.date;
  if (around.indexFile !== undefined) env["GIT_INDEX_FILE"] = around.indexFile;
  const objects = around.objectDirectory ?? repository.aside?.objects;
  if (objects !== undefined) {
    env["GIT_OBJECT_DIRECTORY"] = objects;
    env["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = asOneOfAList(join(repository.commonDir, "objects"));
  }
  addConfig(env, config, fixedOverrides.length);
  return env;
}
