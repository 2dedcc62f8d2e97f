// The forge of a repository, spoken to with the user's own program and variables.
import process from "node:process";
import type { ForgePort } from "../operations/index.ts";
import { locateTrustedRepository } from "../platform/git/index.ts";
import { withoutUserinfo } from "../workspace/checkout/worktree/index.ts";
import {
  fetchIssue,
  fetchLog,
  fetchRequest,
  findOpenRequest,
  insistForges,
  markReady,
  remotesOf,
} from "../workspace/forge/index.ts";

export async function openForge(folder: string): Promise<ForgePort> {
  const { repository } = await locateTrustedRepository(folder);
  const remotes = repository ? remotesOf(repository) : [];
  const forges = insistForges(remotes.map((remote) => ({ ...remote, url: withoutUserinfo(remote.url) })));
  const { base } = forges;
  const { env } = process;
  return {
    base,
    issue: (id) => fetchIssue(base, id, env),
    request: (id) => fetchRequest(forges, id, env),
    find: (branch) => findOpenRequest(forges, branch, env),
    ready: (id) => markReady(base, id, env),
    log: (check) => fetchLog(base, check, env),
  };
}
