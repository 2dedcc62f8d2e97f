// Reads one issue through `gh` or `glab`. The program is started outside the repository, whose settings it must not take over.
import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { promisify } from "node:util";
import { fail, isRecord, plainLine } from "../../core/contract/index.ts";
import { longestIssue, type Issue } from "../../core/crew/issue/index.ts";
import type { Forge } from "./remote.ts";

type Variables = Readonly<Record<string, string | undefined>>;

const run = promisify(execFile);
const offline = "Or save its text, title first, and use: thehood run --issue-file FILE";
const timeoutMs = 60_000;

const argumentsFor = ({ program, host, path }: Forge, id: string): string[] =>
  program === "gh"
    ? ["issue", "view", id, "--repo", `${host}/${path}`, "--json", "title,body,url"]
    : ["issue", "view", id, "--repo", `https://${host}/${path}`, "--output", "json"];

const login = ({ program, host }: Forge): string => `${program} auth login --hostname ${host}`;

export async function fetchIssue(forge: Forge, id: string, env: Variables): Promise<Issue> {
  const text = await answerOf(forge, id, env);
  const parsed = parse(text);
  const title = isRecord(parsed) && typeof parsed["title"] === "string" ? plainLine(parsed["title"], 500) : "";
  if (!isRecord(parsed) || title === "")
    fail("provider_unavailable", `${forge.program} did not answer with an issue.`, { remedy: offline });
  const body = parsed["body"] ?? parsed["description"];
  const url = parsed["url"] ?? parsed["web_url"];
  return {
    title,
    body: typeof body === "string" ? body : "",
    url: typeof url === "string" ? plainLine(url, 300) : `${forge.host}/${forge.path}`,
  };
}

async function answerOf(forge: Forge, id: string, env: Variables): Promise<string> {
  const { program } = forge;
  // Neither asks questions nor opens an editor, and no colours in its JSON.
  const quiet = { GH_PROMPT_DISABLED: "1", NO_PROMPT: "1", NO_COLOR: "1", GH_NO_UPDATE_NOTIFIER: "1" };
  try {
    const options = { cwd: homedir(), env: { ...env, ...quiet }, timeout: timeoutMs, maxBuffer: 32 * longestIssue };
    return (await run(program, argumentsFor(forge, id), options)).stdout;
  } catch (error) {
    const { code, stderr, killed } = error as { code?: unknown; stderr?: unknown; killed?: unknown };
    if (code === "ENOENT")
      return fail("provider_unavailable", `${program} is not installed, so issue ${id} cannot be read.`, {
        remedy: `Install ${program} and log in (${login(forge)}). ${offline}`,
      });
    const why =
      killed === true ? "no answer within a minute" : plainLine(String(stderr ?? ""), 300) || "no reason given";
    return fail("provider_unavailable", `${program} cannot read issue ${id} of ${forge.path}: ${why}.`, {
      remedy: `Look whether the issue exists and you are logged in: ${login(forge)}. ${offline}`,
    });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
