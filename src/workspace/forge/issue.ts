// Reads one issue through `gh` or `glab`.
import { fail, isRecord, plainLine } from "../../core/contract/index.ts";
import type { Issue } from "../../core/crew/issue/index.ts";
import { askForge, parseAnswer, repositoryOf, type Variables } from "./ask.ts";
import type { Forge } from "./remote.ts";

const otherwise = "Or save its text, title first, and use: thehood run --issue-file FILE";

const argumentsFor = (forge: Forge, id: string): string[] =>
  ["issue", "view", id, "--repo", repositoryOf(forge)].concat(
    forge.program === "gh" ? ["--json", "title,body,url"] : ["--output", "json"],
  );

export async function fetchIssue(forge: Forge, id: string, env: Variables): Promise<Issue> {
  const question = { what: `read issue ${id}`, args: argumentsFor(forge, id), otherwise };
  const parsed = parseAnswer(await askForge(forge, question, env));
  const title = isRecord(parsed) && typeof parsed["title"] === "string" ? plainLine(parsed["title"], 500) : "";
  if (!isRecord(parsed) || title === "")
    fail("provider_unavailable", `${forge.program} did not answer with an issue.`, { remedy: otherwise });
  const body = parsed["body"] ?? parsed["description"];
  const url = parsed["url"] ?? parsed["web_url"];
  return {
    title,
    body: typeof body === "string" ? body : "",
    url: typeof url === "string" ? plainLine(url, 300) : `${forge.host}/${forge.path}`,
  };
}
