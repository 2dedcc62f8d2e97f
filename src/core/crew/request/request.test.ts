import { describe, expect, it } from "vitest";
import { ciOf, commentsText, githubRequest, gitlabRequest, requestTexts, type RequestCheck } from "./index.ts";

const head = "a".repeat(40);
const view = {
  number: 7,
  title: "Make add() add",
  body: "It subtracts.",
  url: "https://github.com/o/r/pull/7",
  state: "OPEN",
  isDraft: true,
  headRefName: "fix-add",
  headRefOid: head,
  isCrossRepository: false,
  reviews: [
    { author: { login: "rita" }, body: "" },
    { author: null, body: "Not yet." },
  ],
  comments: [{ author: { login: "sam" }, body: "What about NaN?" }],
  statusCheckRollup: [
    {
      name: "test",
      status: "COMPLETED",
      conclusion: "FAILURE",
      detailsUrl: "https://github.com/o/r/actions/runs/1/job/22",
    },
    { name: "docs", status: "COMPLETED", conclusion: "SKIPPED", detailsUrl: "" },
    { context: "old-ci", state: "SUCCESS", targetUrl: "https://ci.example.com/1" },
  ],
};

const thread = (isResolved: boolean, body: string) => ({
  isResolved,
  path: "src/add.js",
  line: 3,
  comments: { nodes: [{ author: { login: "rita" }, body }] },
});
const threads = (...nodes: object[]) => ({ data: { repository: { pullRequest: { reviewThreads: { nodes } } } } });

describe("a pull request as its forge describes it", () => {
  it("holds the comments that nobody resolved, and the state of each check", () => {
    const read = githubRequest(view, threads(thread(false, "Round it."), thread(true, "Done.")));
    expect(read).toMatchObject({ number: 7, state: "open", draft: true, branch: "fix-add", head, fork: false });
    expect(read?.comments).toEqual([
      { author: "unknown", place: null, text: "Not yet." },
      { author: "sam", place: null, text: "What about NaN?" },
      { author: "rita", place: "src/add.js:3", text: "Round it." },
    ]);
    expect(read?.checks.map(({ name, state, job }) => [name, state, job])).toEqual([
      ["test", "failed", "22"],
      ["docs", "passed", null],
      ["old-ci", "passed", null],
    ]);
  });

  it("is read from GitLab too", () => {
    const merge = {
      iid: 3,
      title: "t",
      description: "d",
      web_url: "u",
      state: "opened",
      draft: true,
      source_branch: "b",
      sha: head,
    };
    const discussions = [
      { notes: [{ author: { username: "rita" }, body: "Round it.", position: { new_path: "a.c", new_line: 9 } }] },
      { notes: [{ author: { username: "rita" }, body: "Done.", resolved: true }] },
      { notes: [{ body: "changed the description", system: true }] },
    ];
    const jobs = [
      { id: 1, name: "unit", status: "failed" },
      { id: 2, name: "flaky", status: "failed", allow_failure: true },
      { id: 3, name: "deploy", status: "manual" },
      { id: 4, name: "slow", status: "running" },
    ];
    const read = gitlabRequest(merge, discussions, jobs);
    expect(read).toMatchObject({ number: 3, state: "open", draft: true, branch: "b", fork: false });
    expect(read?.comments).toEqual([{ author: "rita", place: "a.c:9", text: "Round it." }]);
    expect(read?.checks.map(({ state }) => state)).toEqual(["failed", "passed", "passed", "pending"]);
  });

  it.each([
    ["no JSON", undefined],
    ["a list", []],
    ["an issue", { number: 7, title: "x", state: "OPEN" }],
    ["a commit that is none", { ...view, headRefOid: "--upload-pack=x" }],
    ["an unknown state", { ...view, state: "DELETED" }],
  ])("%s is not a pull request", (_, answer) => expect(githubRequest(answer, undefined)).toBeUndefined());

  it.each<[string, string[]]>([
    ["none", []],
    ["passed", ["passed", "passed"]],
    ["pending", ["failed", "pending"]],
    ["failed", ["passed", "failed"]],
  ])("its checks together are %s", (expected, states) => {
    const checks = states.map((state) => ({ name: "x", url: "", job: null, state: state as RequestCheck["state"] }));
    expect(ciOf(checks)).toBe(expected);
  });
});

describe("the texts that a run quotes", () => {
  const read = githubRequest(view, threads(thread(false, "Round it.\n# A heading\n```")));
  if (!read) throw new Error("It is not read.");

  it("keep each comment in its own quotation, and cut a text that is too long", () => {
    expect(commentsText(read)).toContain("## Comment 3 by rita at src/add.js:3\n\n> Round it.\n> # A heading\n> ```");
    const long = commentsText({ ...read, body: "x".repeat(5_000_000) });
    expect(long.length).toBeLessThan(201_000);
    expect(long).toContain("characters left out");
  });

  it("hold the end of the log of each failed check, without colours and times", () => {
    const log = `${"early\n".repeat(9_000)}test\tRun\t2026-11-18T10:00:00.123Z \u001b[31mboom\u001b[0m\n`;
    const [, failed, ...more] = requestTexts(read, new Map([["test", log]]));
    expect(more).toEqual([]);
    expect(failed?.name).toContain("failed check of pull request 7: test");
    expect(failed?.text).toMatch(/^\[… \d+ characters left out …\]\n/);
    expect(failed?.text.endsWith("test\tRun\tboom\n")).toBe(true);
  });
});
