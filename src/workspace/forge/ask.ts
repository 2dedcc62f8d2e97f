// One question to the user's `gh` or `glab`, started outside the repository, whose settings it must not take over.
import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { promisify } from "node:util";
import { fail, plainLine } from "../../core/contract/index.ts";
import { textField } from "../../core/crew/request/index.ts";
import type { Forge } from "./remote.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

interface Question {
  /** Its name in messages: "read issue 28". */
  readonly what: string;
  readonly args: readonly string[];
  /** What a person can do without the program. */
  readonly otherwise: string;
}

const run = promisify(execFile);
const timeoutMs = 60_000;
const mostBytes = 64_000_000;

const login = ({ program, host }: Forge): string => `${program} auth login --hostname ${host}`;

/** The repository as the program names it. */
export const repositoryOf = ({ program, host, path }: Forge): string =>
  program === "gh" ? `${host}/${path}` : `https://${host}/${path}`;

export async function askForge(forge: Forge, { what, args, otherwise }: Question, env: Variables): Promise<string> {
  const { program, path } = forge;
  // Neither asks questions nor opens an editor, and no colours in its JSON.
  const quiet = { GH_PROMPT_DISABLED: "1", NO_PROMPT: "1", NO_COLOR: "1", GH_NO_UPDATE_NOTIFIER: "1" };
  try {
    const options = { cwd: homedir(), env: { ...env, ...quiet }, timeout: timeoutMs, maxBuffer: mostBytes };
    return (await run(program, args, options)).stdout;
  } catch (error) {
    const { code, stderr, killed } = error as { code?: unknown; stderr?: unknown; killed?: unknown };
    if (code === "ENOENT")
      return fail("provider_unavailable", `${program} is not installed, so it cannot ${what}.`, {
        remedy: `Install ${program} and log in (${login(forge)}). ${otherwise}`,
      });
    const why = killed === true ? "no answer within a minute" : plainLine(String(stderr ?? ""), 300);
    return fail("provider_unavailable", `${program} cannot ${what} of ${path}: ${why || "no reason given"}.`, {
      remedy: `Look whether it exists and you are logged in: ${login(forge)}. ${otherwise}`,
    });
  }
}

export const projectOf = ({ path }: Forge): string => `projects/${encodeURIComponent(path)}`;

/** The number that GitLab gives a project. */
export async function projectId(forge: Forge, env: Variables): Promise<string> {
  const args = ["api", "--hostname", forge.host, projectOf(forge)];
  const what = { what: "read the project", args, otherwise: "Look on the page of the forge." };
  return textField(parseAnswer(await askForge(forge, what, env)), "id");
}

export function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
