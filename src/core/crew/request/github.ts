// A pull request from the JSON of `gh pr view`, and its open review threads from GitHub's GraphQL.
import { field, lineField, listField, placeOf, textField } from "./fields.ts";
import type { ForgeRequest, RequestCheck, RequestComment } from "./request.ts";

export const githubFields =
  "number,title,body,url,state,isDraft,headRefName,headRefOid,isCrossRepository,headRepository,headRepositoryOwner,comments,reviews,statusCheckRollup";

export const githubThreads =
  "query($owner:String!,$name:String!,$number:Int!){repository(owner:$owner,name:$name){pullRequest(number:$number)" +
  "{reviewThreads(first:100){nodes{isResolved path line comments(first:20){nodes{author{login} body}}}}}}}";

const passed = ["SUCCESS", "NEUTRAL", "SKIPPED"];

/** An entry of the rollup is a check run, or a status that an older service set. */
function checkOf(entry: unknown): RequestCheck {
  const url = lineField(entry, "detailsUrl", "targetUrl");
  const run = field(entry, "conclusion") !== undefined || field(entry, "status") !== undefined;
  const pending = run
    ? lineField(entry, "status") !== "COMPLETED"
    : ["PENDING", "EXPECTED"].includes(lineField(entry, "state"));
  const good = passed.includes(lineField(entry, run ? "conclusion" : "state"));
  return {
    name: lineField(entry, "name", "context") || "check",
    state: pending ? "pending" : good ? "passed" : "failed",
    url,
    job: /\/actions\/runs\/\d+\/job\/(\d+)/.exec(url)?.[1] ?? null,
  };
}

const commentOf = (entry: unknown, place: string | null): RequestComment => ({
  author: lineField(field(entry, "author"), "login") || "unknown",
  place,
  text: textField(entry, "body"),
});

function threadComments(threads: unknown): RequestComment[] {
  const nodes = listField(threads, "data", "repository", "pullRequest", "reviewThreads", "nodes");
  return nodes
    .filter((thread) => field(thread, "isResolved") !== true)
    .flatMap((thread) => {
      const place = placeOf(textField(thread, "path"), textField(thread, "line"));
      return listField(thread, "comments", "nodes").map((one) => commentOf(one, place));
    });
}

/** Undefined where the answer is not a pull request. */
export function githubRequest(view: unknown, threads: unknown): ForgeRequest | undefined {
  const state = { OPEN: "open", CLOSED: "closed", MERGED: "merged" } as const;
  const known = state[textField(view, "state") as keyof typeof state] as ForgeRequest["state"] | undefined;
  const [branch, head] = [textField(view, "headRefName"), textField(view, "headRefOid")];
  if (known === undefined || branch === "" || !/^[0-9a-f]{40,64}$/.test(head)) return undefined;
  const spoken = [...listField(view, "reviews"), ...listField(view, "comments")].map((one) => commentOf(one, null));
  return {
    number: Number(textField(view, "number")),
    title: lineField(view, "title"),
    body: textField(view, "body"),
    url: lineField(view, "url"),
    state: known,
    draft: field(view, "isDraft") === true,
    branch,
    head,
    fork: field(view, "isCrossRepository") === true,
    headPath: [textField(view, "headRepositoryOwner", "login"), textField(view, "headRepository", "name")].join("/"),
    comments: [...spoken, ...threadComments(threads)].filter(({ text }) => text.trim() !== ""),
    checks: listField(view, "statusCheckRollup").map(checkOf),
  };
}
