// Opens a draft pull request (GitHub) or merge request (GitLab) for a branch that was pushed. A branch that has an open one
// gets no second one, so that the step can be repeated after a crash.
import { fail, isRecord, plainLine } from "../../core/contract/index.ts";
import { askForge, parseAnswer, repositoryOf, type Variables } from "./ask.ts";
import type { Forge } from "./remote.ts";

export interface Draft {
  readonly branch: string;
  readonly title: string;
  /** A file that holds the body. */
  readonly bodyFile: string;
  readonly body: string;
}

export interface OpenedRequest {
  readonly url: string;
  /** False where it was open already. */
  readonly created: boolean;
}

const otherwise = (bodyFile: string) =>
  `The branch is pushed and nothing is lost. Open it on the page of the forge; its text is in ${bodyFile}`;

const listArguments = (forge: Forge, branch: string): string[] =>
  forge.program === "gh"
    ? ["pr", "list", "--repo", repositoryOf(forge), "--head", branch, "--state", "open", "--json", "url"]
    : ["mr", "list", "--repo", repositoryOf(forge), "--source-branch", branch, "--output", "json"];

const createArguments = (forge: Forge, { branch, title, bodyFile, body }: Draft): string[] =>
  forge.program === "gh"
    ? ["pr", "create", "--repo", repositoryOf(forge), "--head", branch, "--draft"].concat(
        "--title",
        title,
        "--body-file",
        bodyFile,
      )
    : ["mr", "create", "--repo", repositoryOf(forge), "--source-branch", branch, "--draft", "--yes"].concat(
        "--title",
        title,
        "--description",
        body,
      );

async function openRequest(forge: Forge, { branch, bodyFile }: Draft, env: Variables): Promise<string | undefined> {
  const question = {
    what: `list the pull requests of ${branch}`,
    args: listArguments(forge, branch),
    otherwise: otherwise(bodyFile),
  };
  const parsed = parseAnswer(await askForge(forge, question, env));
  if (!Array.isArray(parsed))
    fail("provider_unavailable", `${forge.program} did not answer with a list.`, { remedy: otherwise(bodyFile) });
  const [first] = parsed.filter(isRecord);
  const url = first?.["url"] ?? first?.["web_url"];
  return typeof url === "string" ? plainLine(url, 300) : undefined;
}

export async function openDraft(forge: Forge, draft: Draft, env: Variables): Promise<OpenedRequest> {
  const open = await openRequest(forge, draft, env);
  if (open !== undefined) return { url: open, created: false };
  const question = {
    what: "open a pull request",
    args: createArguments(forge, draft),
    otherwise: otherwise(draft.bodyFile),
  };
  const url = /https?:\/\/\S+/.exec(await askForge(forge, question, env))?.[0];
  if (url === undefined)
    fail("provider_unavailable", `${forge.program} did not say where the pull request is.`, {
      remedy: otherwise(draft.bodyFile),
    });
  return { url: plainLine(url, 300), created: true };
}
