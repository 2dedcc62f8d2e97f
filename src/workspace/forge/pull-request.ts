// Opens a draft pull request (GitHub) or merge request (GitLab) for a branch that was pushed. A branch that has an open one
// gets no second one, so that the step can be repeated after a crash. Takes the draft mark away once its checks pass.
import { fail, isRecord, plainLine } from "../../core/contract/index.ts";
import { textField } from "../../core/crew/request/index.ts";
import { askForge, parseAnswer, projectId, repositoryOf, type Variables } from "./ask.ts";
import { isFork, type Forge, type Forges } from "./remote.ts";

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

const listedFields = "url,isCrossRepository,headRepositoryOwner";

const listArguments = (forge: Forge, branch: string): string[] =>
  forge.program === "gh"
    ? ["pr", "list", "--repo", repositoryOf(forge), "--head", branch, "--state", "open", "--json", listedFields]
    : ["mr", "list", "--repo", repositoryOf(forge), "--source-branch", branch, "--output", "json"];

const ownerOf = ({ path }: Forge): string => path.split("/")[0] ?? "";

const createArguments = ({ base, head }: Forges, { branch, title, bodyFile, body }: Draft): string[] =>
  base.program === "gh"
    ? ["pr", "create", "--repo", repositoryOf(base)].concat(
        "--head",
        isFork({ base, head }) ? `${ownerOf(head)}:${branch}` : branch,
        "--draft",
        "--title",
        title,
        "--body-file",
        bodyFile,
      )
    : ["mr", "create", "--repo", repositoryOf(base)].concat(
        isFork({ base, head }) ? ["--head", head.path] : [],
        "--source-branch",
        branch,
        "--draft",
        "--yes",
        "--title",
        title,
        "--description",
        body,
      );

/** Both programs list requests by the name of their branch alone; a stranger's fork can have a branch of the same name. */
async function ownFilter(forges: Forges, env: Variables): Promise<(listed: Record<string, unknown>) => boolean> {
  const { base, head } = forges;
  if (base.program === "gh") {
    const owner = ownerOf(head).toLowerCase();
    if (!isFork(forges)) return (one) => one["isCrossRepository"] !== true;
    return (one) => textField(one, "headRepositoryOwner", "login").toLowerCase() === owner;
  }
  if (!isFork(forges)) return (one) => textField(one, "source_project_id") === textField(one, "target_project_id");
  const project = await projectId(head, env);
  return (one) => textField(one, "source_project_id") === project;
}

/** The address of the open request of a branch. */
export async function findOpenRequest(
  forges: Forges,
  branch: string,
  env: Variables,
  remedy = "Look on the page of the forge.",
): Promise<string | undefined> {
  const { base } = forges;
  const question = {
    what: `list the pull requests of ${branch}`,
    args: listArguments(base, branch),
    otherwise: remedy,
  };
  const parsed = parseAnswer(await askForge(base, question, env));
  if (!Array.isArray(parsed)) fail("provider_unavailable", `${base.program} did not answer with a list.`, { remedy });
  const own = await ownFilter(forges, env);
  const first = parsed.filter(isRecord).find(own);
  const url = first?.["url"] ?? first?.["web_url"];
  return typeof url === "string" ? plainLine(url, 300) : undefined;
}

export async function openDraft(forges: Forges, draft: Draft, env: Variables): Promise<OpenedRequest> {
  const open = await findOpenRequest(forges, draft.branch, env, otherwise(draft.bodyFile));
  if (open !== undefined) return { url: open, created: false };
  const question = {
    what: "open a pull request",
    args: createArguments(forges, draft),
    otherwise: otherwise(draft.bodyFile),
  };
  const answered = await askForge(forges.base, question, env).catch(async (error: unknown) => {
    // Another process opened it in the same moment.
    const other = await findOpenRequest(forges, draft.branch, env).catch(() => undefined);
    if (other === undefined) throw error;
    return { url: other, created: false };
  });
  if (typeof answered !== "string") return answered;
  const url = /https?:\/\/\S+/.exec(answered)?.[0];
  if (url === undefined)
    fail("provider_unavailable", `${forges.base.program} did not say where the pull request is.`, {
      remedy: otherwise(draft.bodyFile),
    });
  return { url: plainLine(url, 300), created: true };
}

export async function markReady(forge: Forge, id: string, env: Variables): Promise<void> {
  const args =
    forge.program === "gh"
      ? ["pr", "ready", id, "--repo", repositoryOf(forge)]
      : ["mr", "update", id, "--repo", repositoryOf(forge), "--ready", "--yes"];
  const remedy = "Its checks pass and nothing is lost: mark it as ready on its page.";
  await askForge(forge, { what: `mark request ${id} as ready`, args, otherwise: remedy }, env);
}
