// A `gh` or `glab` for tests: it keeps the requests of one bare repository in a file beside itself and speaks the JSON of the
// real programs for the questions that thehood asks. `state.json`: { remote, requests, logs, issues, broken, killAfter }.
import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import process from "node:process";

const folder = dirname(process.argv[1]);
const name = basename(process.argv[1]);
const args = process.argv.slice(2);
appendFileSync(join(folder, "log"), `${process.cwd()} ${args.join(" ")}\n`);

const file = join(folder, "state.json");
const state = JSON.parse(readFileSync(file, "utf8"));
const save = () => {
  writeFileSync(`${file}.new`, JSON.stringify(state));
  renameSync(`${file}.new`, file);
};
const print = (value) => process.stdout.write(typeof value === "string" ? value : `${JSON.stringify(value)}\n`);
const end = (message) => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
};
const option = (word) => args[args.indexOf(word) + 1];
const tip = (branch) => {
  const asked = ["--git-dir", state.remote, "for-each-ref", "--format=%(objectname)", `refs/heads/${branch}`];
  return execFileSync("git", asked, { encoding: "utf8" }).trim();
};
const found = (id) => state.requests.find(({ number }) => String(number) === id) ?? end(`no pull request ${id}`);
/** `owner:branch` names a branch of a fork, as gh does. */
const create = (head, draft, title, body) => {
  const number = 7 + state.requests.length;
  const [owner, named] = head.includes(":") ? head.split(":") : ["o", head];
  const branch = named;
  state.requests.push({
    number,
    owner,
    branch,
    fork: owner !== "o",
    draft,
    title,
    body,
    state: "open",
    comments: [],
    threads: [],
    checks: [],
  });
  save();
  return number;
};
const openOn = (branch) => state.requests.filter((one) => one.branch === branch && one.state === "open");

const broken = Object.entries(state.broken ?? {}).find(([words]) => args.join(" ").includes(words));
if (broken) end(broken[1]);

const gh = {
  "issue view": () =>
    print(state.issues?.[args[2]] ?? end("GraphQL: Could not resolve to an Issue (repository.issue)")),
  "pr list": () =>
    print(
      openOn(option("--head")).map(({ number, fork, owner }) => ({
        url: `https://github.com/o/r/pull/${number}`,
        isCrossRepository: fork === true,
        headRepositoryOwner: { login: owner ?? "o" },
      })),
    ),
  "pr create": () => {
    const number = create(
      option("--head"),
      args.includes("--draft"),
      option("--title"),
      readFileSync(option("--body-file"), "utf8"),
    );
    print(`https://github.com/o/r/pull/${number}\n`);
  },
  "pr view": () => {
    const { number, owner, branch, draft, title, body, state: now, comments, checks, fork, later } = found(args[2]);
    print({
      number,
      headRepository: { name: "r" },
      headRepositoryOwner: { login: owner ?? "o" },
      title,
      body,
      url: `https://github.com/o/r/pull/${number}`,
      state: now.toUpperCase(),
      isDraft: draft,
      headRefName: branch,
      headRefOid: tip(branch),
      isCrossRepository: fork === true,
      comments: comments.map((text) => ({ author: { login: "rita" }, body: text })),
      reviews: [],
      statusCheckRollup: checks.map(({ name: check, result, job }) => ({
        __typename: "CheckRun",
        name: check,
        status: result === "pending" ? "IN_PROGRESS" : "COMPLETED",
        conclusion: { passed: "SUCCESS", failed: "FAILURE" }[result] ?? "",
        detailsUrl: `https://github.com/o/r/actions/runs/1/job/${job}`,
      })),
    });
    // Checks that the forge begins after the first look.
    if (later) {
      Object.assign(found(args[2]), { checks: [...checks, ...later], later: undefined });
      save();
    }
  },
  "pr ready": () => {
    found(args[2]).draft = false;
    save();
  },
  "api graphql": () => {
    const number = args.find((word) => word.startsWith("number="))?.slice(7);
    const nodes = found(number).threads.map(({ path, line, text, resolved }) => ({
      isResolved: resolved === true,
      path,
      line,
      comments: { nodes: [{ author: { login: "rita" }, body: text }] },
    }));
    print({ data: { repository: { pullRequest: { reviewThreads: { nodes } } } } });
  },
  "run view": () => print(state.logs[option("--job")] ?? end("log not found")),
};

const glab = {
  "mr list": () =>
    print(
      openOn(option("--source-branch")).map(({ number }) => ({
        web_url: `https://gitlab.com/o/r/-/merge_requests/${number}`,
      })),
    ),
  "mr create": () => {
    const number = create(
      option("--source-branch"),
      args.includes("--draft"),
      option("--title"),
      option("--description"),
    );
    print(`https://gitlab.com/o/r/-/merge_requests/${number}\n`);
  },
  "mr view": () => {
    const { number, branch, draft, title, body, state: now, checks, fork } = found(args[2]);
    print({
      iid: number,
      title,
      description: body,
      web_url: `https://gitlab.com/o/r/-/merge_requests/${number}`,
      state: now === "open" ? "opened" : now,
      draft,
      source_branch: branch,
      sha: tip(branch),
      source_project_id: fork === true ? 2 : 1,
      target_project_id: 1,
      head_pipeline: checks.length === 0 ? null : { id: 5 },
    });
  },
  "mr update": () => {
    if (args.includes("--ready")) found(args[2]).draft = false;
    save();
  },
  api: () => {
    const path = args.at(-1).replace("projects/o%2Fr/", "");
    const [, about] = /^merge_requests\/(\d+)\/discussions/.exec(path) ?? [];
    const [, job] = /^jobs\/(\d+)\/trace/.exec(path) ?? [];
    if (job) return print(state.logs[job] ?? end("404 Not Found"));
    if (about)
      return print([
        ...found(about).comments.map((text) => ({ notes: [{ author: { username: "rita" }, body: text }] })),
        ...found(about).threads.map(({ path: new_path, line: new_line, text, resolved }) => ({
          notes: [
            { author: { username: "rita" }, body: text, resolved: resolved === true, position: { new_path, new_line } },
          ],
        })),
      ]);
    const status = { passed: "success", failed: "failed", pending: "running" };
    return print(
      state.requests.at(-1).checks.map(({ name: check, result, job: id }) => ({
        id,
        name: check,
        status: status[result],
        web_url: `https://gitlab.com/o/r/-/jobs/${id}`,
      })),
    );
  },
};

const commands = name === "glab" ? glab : gh;
const command = commands[`${args[0]} ${args[1]}`] ?? commands[args[0]];
if (!command) end(`unknown command: ${args.join(" ")}`);
command();
// A crash of the caller right after the forge did its part.
if (state.killAfter && args.join(" ").includes(state.killAfter)) process.kill(process.ppid, "SIGKILL");
