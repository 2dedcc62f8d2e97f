// The door to the forge of a repository: its issues and pull requests, through the user's own `gh` or `glab`.
export { fetchIssue } from "./issue.ts";
export { openDraft, type OpenedRequest } from "./pull-request.ts";
export { forgeAmong, forgeOf, type Forge } from "./remote.ts";
