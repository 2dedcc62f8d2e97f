// Reads one pull request (GitHub) or merge request (GitLab) with its open comments and its checks, and the logs of those that
// failed.
import { fail, FailureError } from "../../core/contract/index.ts";
import {
  githubFields,
  githubRequest,
  githubThreads,
  gitlabRequest,
  pipelineOf,
  type ForgeRequest,
  type RequestCheck,
} from "../../core/crew/request/index.ts";
import { askForge, parseAnswer, projectId, projectOf, repositoryOf, type Variables } from "./ask.ts";
import { isFork, type Forge, type Forges } from "./remote.ts";

const otherwise = "Or save what is to be done in a file, and use: thehood run --issue-file FILE";

type Ask = (what: string, args: readonly string[]) => Promise<string>;

/** Beside the request itself: what cannot be read of it is left out. */
async function optionalJson(answer: Promise<string>): Promise<unknown> {
  try {
    return parseAnswer(await answer);
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return undefined;
  }
}

async function fromGithub(forge: Forge, id: string, ask: Ask): Promise<ForgeRequest | undefined> {
  const { host, path } = forge;
  const view = await ask(`read pull request ${id}`, [
    "pr",
    "view",
    id,
    "--repo",
    repositoryOf(forge),
    "--json",
    githubFields,
  ]);
  const [owner = "", name = ""] = path.split("/");
  const question = ["-f", `query=${githubThreads}`, "-f", `owner=${owner}`, "-f", `name=${name}`, "-F", `number=${id}`];
  const threads = ask("read the review comments", ["api", "graphql", "--hostname", host, ...question]);
  return githubRequest(parseAnswer(view), await optionalJson(threads));
}

async function fromGitlab(forge: Forge, id: string, ask: Ask): Promise<ForgeRequest | undefined> {
  const shown = ["mr", "view", id, "--repo", repositoryOf(forge), "--output", "json"];
  const view = parseAnswer(await ask(`read merge request ${id}`, shown));
  const api = (path: string) =>
    optionalJson(ask(`read ${path}`, ["api", "--hostname", forge.host, `${projectOf(forge)}/${path}`]));
  const discussions = await api(`merge_requests/${id}/discussions?per_page=100`);
  const pipeline = pipelineOf(view);
  const jobs = pipeline === "" ? [] : await api(`pipelines/${pipeline}/jobs?per_page=100`);
  return gitlabRequest(view, discussions, jobs);
}

/** The branch is in the fork that the user pushes to. */
async function isOwnFork(forges: Forges, { headPath }: ForgeRequest, env: Variables): Promise<boolean> {
  const { base, head } = forges;
  if (!isFork(forges) || headPath === "") return false;
  const own = base.program === "gh" ? head.path.toLowerCase() : await projectId(head, env);
  return headPath.toLowerCase() === own;
}

export async function fetchRequest(forges: Forges, id: string, env: Variables): Promise<ForgeRequest> {
  const forge = forges.base;
  const ask: Ask = (what, args) => askForge(forge, { what, args, otherwise }, env);
  const found = await (forge.program === "gh" ? fromGithub : fromGitlab)(forge, id, ask);
  if (!found)
    fail("provider_unavailable", `${forge.program} did not answer with a pull request.`, {
      remedy: `Look whether number ${id} is one, and whether ${forge.program} is a current version. ${otherwise}`,
    });
  return { ...found, fork: found.fork && !(await isOwnFork(forges, found, env)) };
}

function logArguments(forge: Forge, { job }: RequestCheck): string[] | undefined {
  if (job === null || !/^\d+$/.test(job)) return undefined;
  return forge.program === "gh"
    ? ["run", "view", "--repo", repositoryOf(forge), "--job", job, "--log-failed"]
    : ["api", "--hostname", forge.host, `${projectOf(forge)}/jobs/${job}/trace`];
}

/** A log that cannot be read is named as unreadable: the check failed all the same. */
export async function fetchLog(forge: Forge, check: RequestCheck, env: Variables): Promise<string> {
  const args = logArguments(forge, check);
  if (args === undefined) return "The log is not on the forge; its address is in the name of this text.\n";
  try {
    return await askForge(forge, { what: `read the log of ${check.name}`, args, otherwise: "" }, env);
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return `The log could not be read: ${error.failure.message}\n`;
  }
}
