// The door to the forge of a repository: its issues and pull requests, through the user's own `gh` or `glab`.
export { fetchIssue } from "./issue.ts";
export { fetchLog, fetchRequest } from "./request.ts";
export { findOpenRequest, markReady, openDraft, type OpenedRequest } from "./pull-request.ts";
export { forgesAmong, insistForges, isFork, pushRemote, type Forge, type Forges } from "./remote.ts";
export { remotesOf } from "./remotes.ts";
