// Owns the environment a program gets: a few harmless names, what the request sets, and nothing that is inherited.
import { realpathSync } from "node:fs";
import type { CommandRequest } from "../../core/contract/index.ts";
import { findSecrets } from "../../core/secrets/index.ts";

/** Variables of the host that may pass. Locale and time zone change output, not power. */
const inherited = /^(LANG|LANGUAGE|LC_[A-Z]+|TZ)$/;
const namePattern = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Where a system or its package managers put programs. A repository can put a folder of its own first on the path. */
const systemFolders = /^\/(?:usr|opt|nix\/store|run\/current-system|home\/linuxbrew|snap|bin|sbin)(?:\/|$)/;

/** The folders of a search path from which our own protection may come. */
export const trustedPath = (path: string): string =>
  path
    .split(":")
    .filter((folder) => systemFolders.test(folder) && !folder.split("/").includes(".."))
    .join(":");

export const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

interface EnvironmentInput {
  readonly host: Readonly<Record<string, string | undefined>>;
  /** Variables of the host that are passed on besides the harmless ones. */
  readonly passed?: Readonly<Record<string, string>> | undefined;
  readonly home: string;
  readonly tmp: string;
  readonly request: Readonly<Record<string, string>>;
  readonly appended?: CommandRequest["envAppended"];
}

/** The folders of a search path by their real names, since links may lead through places that are hidden. Relative ones
 * are dropped: they would find programs of the workspace. */
export function realSearchPath(path: string): string {
  return path
    .split(":")
    .flatMap((folder) => {
      if (!folder.startsWith("/")) return [];
      try {
        return [realpathSync(folder)];
      } catch {
        return [];
      }
    })
    .join(":");
}

/** Throws nothing: a bad name or value comes back as the reason. */
export function cleanEnvironment(input: EnvironmentInput): { env: Record<string, string> } | { bad: string } {
  const env: Record<string, string> = {
    TERM: "dumb",
    SHELL: "/bin/sh",
    ...input.passed,
    PATH: input.host["PATH"] || defaultPath,
    HOME: input.home,
    TMPDIR: input.tmp,
  };
  for (const [name, value] of Object.entries(input.host))
    if (value !== undefined && inherited.test(name)) env[name] = value;
  for (const [name, value] of Object.entries(input.request)) {
    if (!namePattern.test(name)) return { bad: `${JSON.stringify(name)} is not a variable name` };
    if (value.includes("\0")) return { bad: `The value of ${name} has a NUL character` };
    env[name] = value;
  }
  for (const [name, [separator, words]] of Object.entries(input.appended ?? {}))
    env[name] = env[name] ? `${env[name]}${separator}${words}` : words;
  return { env };
}

const secretName =
  /(?:^|_)(?:TOKENS?|SECRETS?|KEYS?|PASS|PASSWD|PASSWORD|PASSPHRASE|PWD|CREDENTIALS?|CREDS?|AUTH|COOKIES?|SESSION|PAT|DSN|PRIVATE|SIGNING|WEBHOOK|PROXY|SOCK|BUS|RUNTIME)(?:_|$)|(?:TOKEN|SECRET|PASSWORD|APIKEY|_URI)$/i;

const tellsOfJudge =
  /^(?:THEHOOD|ORACLE|BWRAP|npm_|NODE_TEST_CONTEXT|NODE_COMPILE_CACHE|VITEST|JEST_WORKER_ID|PYTEST_|RUST_TEST|GIT_|INIT_CWD$|PWD$|OLDPWD$|SHLVL$|COLOR$|_$|GOWORK$|PYTHONDONTWRITEBYTECODE$)/i;

/** A path of this program in a value reveals it as much as a name does. */
const ownPlace = /thehood/i;

const isShared = (name: string, value: string): boolean =>
  !secretName.test(name) &&
  !tellsOfJudge.test(name) &&
  (name === "PATH" || !ownPlace.test(value)) &&
  !/:\/\/[^\s/]*@/.test(value) &&
  findSecrets(`${name}=${value}`).length === 0;

export function userVariables(host: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(host).flatMap(([name, value]) =>
      value !== undefined && /^[A-Za-z_]\w*$/.test(name) && isShared(name, value) ? [[name, value]] : [],
    ),
  );
}
