// One patch through every door, with the real programs: the same verdict, the same reason, the same words.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Bench, fence } from "./bench.ts";

const thehoodBin = resolve(import.meta.dirname, "../../bin/thehood.js");
const app = "const a = 1;\nconst b = 2;\nconst c = 3;\n";
const files = {
  "src/app.js": app,
  "src/two.js": "1\n2\n3\n4\n5\n6\n",
  "tests/a.test.js": "assert(1);\n",
  "README.md": "hello\n",
  ".gitignore": ".thehood-home/\n",
};
const secret = [..."VBN9XWKL4M2TDQ7ZAIKA"].toReversed().join("");
const change = (line: string, path = "src/app.js") =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1,3 +1,3 @@\n const a = 1;\n-const b = 2;\n+${line}\n const c = 3;\n`;
const create = (path: string, line: string, mode = "100644") =>
  `diff --git a/${path} b/${path}\nnew file mode ${mode}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${line}\n`;
const good = change("const b = 22;");

/** Verdict and reason of the judge, and what a person is warnings of findings that want approval. */
interface Verdict {
  readonly verdict: string;
  readonly reason: string;
  readonly said: readonly string[];
}

let bench: Bench;
beforeEach(() => {
  bench = new Bench().withRepository(files);
});
afterEach(() => bench.dispose());

const thehood = (args: readonly string[], input = "", more: Readonly<Record<string, string>> = {}) => {
  const env = {
    ...bench.env,
    ...more,
    THEHOOD_HOME: join(bench.dir, "thehood-home"),
    NO_COLOR: "1",
    GIT_COMMITTER_NAME: "T",
    GIT_COMMITTER_EMAIL: "t@example.invalid",
  };
  const ran = spawnSync(process.execPath, [thehoodBin, ...args], {
    cwd: bench.repo,
    env,
    input,
    encoding: "utf8",
    maxBuffer: 64 << 20,
  });
  if (ran.error) throw ran.error;
  return { code: ran.status, out: ran.stdout, err: ran.stderr };
};

interface Judgement {
  readonly verdict: string;
  readonly reason: string;
  readonly findings: readonly { readonly verdict: string; readonly message: string }[];
}

const ofJudgement = ({ verdict, reason, findings }: Judgement): Verdict => ({
  verdict,
  reason: verdict === "accept" ? "ok" : reason,
  said: findings.filter((one) => one.verdict === "approval").map(({ message }) => message),
});

const asks = /^(.*)\. Nothing was applied; allow it with --approve-path \S+$/;

/** A result of `oracle` says the same with other keys: what it lets pass is a warning there. */
function ofResult(result: {
  readonly status: string;
  readonly diffReason: string | null;
  readonly gitApplyError: string | null;
  readonly warnings: readonly string[];
}): Verdict {
  if (result.status === "success") return { verdict: "accept", reason: "ok", said: result.warnings };
  const asked = asks.exec(result.gitApplyError ?? "")?.[1];
  return {
    verdict: asked === undefined ? "reject" : "approval",
    reason: result.diffReason ?? result.status,
    said: asked === undefined ? [] : [asked],
  };
}

type Door = (diff: string, flags: readonly string[]) => Promise<Verdict>;

const thehoodDoor =
  (...words: string[]): Door =>
  async (diff, flags) =>
    ofJudgement(JSON.parse(thehood([...words, "-", "--json", ...flags], diff).out) as Judgement);

const oracleApply =
  (mode: string): Door =>
  async (diff, flags) => {
    const from = join(bench.dir, "answer.md");
    writeFileSync(from, fence(diff));
    const ran = await bench.run(["apply", from, "--json", "--apply-mode", mode, ...flags]);
    return ofResult(JSON.parse(ran.stdout) as Parameters<typeof ofResult>[0]);
  };

const oracleAsk =
  (mode: string): Door =>
  async (diff, flags) => {
    bench.double([{ answer: fence(diff), html: "<pre>x</pre>" }]);
    const ran = await bench.run(["-p", "change it", "--json", "--apply-mode", mode, ...flags]);
    return ofResult(JSON.parse(ran.stdout) as Parameters<typeof ofResult>[0]);
  };

/** A run of the engine whose worker answers with the diff; read from the durable log. */
const engine: Door = async (diff) => {
  const script = JSON.stringify({ roles: { implementer: [{ patch: diff }] } });
  const stub = ["--team", "stub", "--approvals", "autopilot", "--no-checks", "--stub-script", script];
  const { runId } = JSON.parse(thehood(["run", "change it", "--json", ...stub]).out) as { runId: string };
  const { events } = JSON.parse(thehood(["logs", runId, "--json"]).out) as {
    events: { event: { judgement?: Judgement } }[];
  };
  const judgement = events.map(({ event }) => event.judgement).find((found) => found !== undefined);
  if (judgement === undefined) throw new Error(`no patch was judged: ${JSON.stringify(events.at(-1))}`);
  return ofJudgement(judgement);
};

const judges: Readonly<Record<string, Door>> = {
  "thehood check patch": (diff, flags) => thehoodDoor("check", "patch")(diff, ["--repo", bench.repo, ...flags]),
  "thehood patch check": thehoodDoor("patch", "check"),
  "oracle apply, check": oracleApply("check"),
  "oracle -p, check": oracleAsk("check"),
};
const appliers: Readonly<Record<string, Door>> = {
  "thehood patch apply": thehoodDoor("patch", "apply"),
  "oracle apply, apply": oracleApply("apply"),
  "oracle -p, apply": oracleAsk("apply"),
};

interface Case {
  readonly title: string;
  readonly diff: string;
  readonly want: Verdict;
  readonly flags?: readonly string[];
  readonly prepare?: () => void;
  /** `oracle` lets a protected test pass with a warning, by its contract. */
  readonly oracle?: Verdict;
  /**
   * A run judges work that lies in a worktree: only a patch that can get there comes before its judge. What was captured
   * there can have flags of its own, which are asked about beside the judge's findings.
   */
  readonly engine?: Verdict | true;
}

const reject = (reason: string): Verdict => ({ verdict: "reject", reason, said: [] });
const approval = (reason: string, ...said: string[]): Verdict => ({ verdict: "approval", reason, said });
const accept: Verdict = { verdict: "accept", reason: "ok", said: [] };
const workflow = ".github/workflows/ci.yml";
const isProtected = "tests/a.test.js is protected (test)";

const cases: readonly Case[] = [
  { title: "a plain change", diff: good, want: accept, engine: true },
  {
    title: "a protected test",
    diff: "diff --git a/tests/a.test.js b/tests/a.test.js\n--- a/tests/a.test.js\n+++ b/tests/a.test.js\n@@ -1 +1 @@\n-assert(1);\n+assert(2);\n",
    want: approval("protected_path", isProtected),
    oracle: { ...accept, said: [isProtected] },
    engine: true,
  },
  {
    title: "a secret in the added lines",
    diff: change(`const b = "${secret}";`),
    want: approval("secret_in_patch", "The added lines of src/app.js hold 1 text(s) that look like a secret"),
    engine: true,
  },
  {
    title: "a file that makes programs run",
    diff: create(workflow, "on: push"),
    want: approval("exec_config", `${workflow} makes programs run, or steers an agent (ci)`),
    engine: true,
  },
  {
    title: "text that is shown in another order",
    diff: change("const b = 2; // \u202e x"),
    want: approval("bidi_control", "Added text of src/app.js holds characters that reorder what is shown"),
    engine: true,
  },
  {
    title: "binary data beside a text",
    diff: `${good}diff --git a/x.bin b/x.bin\nnew file mode 100644\nindex 0000000000000000000000000000000000000000..d9073ee29dcc67bf9606e913b01d95b63dd6b406\nGIT binary patch\nliteral 3\nKcmZQ%_zwU91pxs7\n\nliteral 0\nHcmV?d00001\n\n`,
    want: reject("binary_not_allowed"),
  },
  {
    title: "a rename",
    diff: "diff --git a/src/app.js b/src/main.js\nsimilarity index 60%\nrename from src/app.js\nrename to src/main.js\n--- a/src/app.js\n+++ b/src/main.js\n@@ -1,3 +1,3 @@\n const a = 1;\n-const b = 2;\n+const b = 22;\n const c = 3;\n",
    want: accept,
    engine: true,
  },
  {
    title: "a change of the mode",
    diff: "diff --git a/src/app.js b/src/app.js\nold mode 100644\nnew mode 100755\n--- a/src/app.js\n+++ b/src/app.js\n@@ -1,3 +1,3 @@\n const a = 1;\n-const b = 2;\n+const b = 22;\n const c = 3;\n",
    want: accept,
    engine: approval("mode_change", "The mode of src/app.js changes."),
  },
  {
    title: "a new link",
    diff: create("src/link", "/nowhere/canary", "120000"),
    want: reject("symlink_create"),
  },
  {
    title: "a path outside the prefix",
    diff: good,
    flags: ["--restrict-path-prefix", "lib"],
    want: reject("outside_prefix"),
  },
  {
    title: "a target with changes of its own",
    diff: good,
    prepare: () => bench.write("src/app.js", `${app}// mine\n`),
    want: reject("dirty_target"),
  },
  {
    title: "other lines in the tree",
    diff: good.replace(" const c = 3;", " const z = 9;"),
    want: reject("context_mismatch"),
  },
  {
    title: "a patch that the tree holds already",
    diff: good,
    prepare: () => bench.write("src/app.js", app.replace("2", "22")),
    want: accept,
    oracle: { ...accept, said: ["The tree held this patch already."] },
  },
  {
    title: "headers that contradict each other",
    diff: good.replace("+++ b/src/app.js", "+++ b/src/other.js"),
    want: reject("header_mismatch"),
  },
  {
    title: "hunks that overlap",
    diff: "diff --git a/src/two.js b/src/two.js\n--- a/src/two.js\n+++ b/src/two.js\n@@ -1,3 +1,3 @@\n 1\n-2\n+b\n 3\n@@ -2,3 +2,3 @@\n 2\n-3\n+c\n 4\n",
    want: reject("hunk_overlap"),
  },
];

describe("[T-18][S-6] one judge behind every door", () => {
  it.each(cases)("$title", async ({ diff, want, flags = [], prepare, oracle = want, engine: runs }) => {
    prepare?.();
    const verdicts: Record<string, Verdict> = {};
    const wanted: Record<string, Verdict> = {};
    for (const [name, door] of Object.entries({ ...judges, ...appliers })) {
      const before = bench.git("status", "--porcelain");
      verdicts[name] = await door(diff, flags);
      wanted[name] = name.startsWith("oracle") ? oracle : want;
      const mayWrite = wanted[name].verdict === "accept" && !(name in judges);
      const isSame = bench.git("status", "--porcelain") === before;
      expect(isSame || mayWrite, `${name} left the tree alone`).toBe(true);
      if (mayWrite) {
        bench.git("reset", "-q", "--hard");
        bench.git("clean", "-qfd");
        prepare?.();
      }
    }
    if (runs !== undefined) {
      verdicts["the engine"] = await engine(diff, []);
      wanted["the engine"] = runs === true ? want : runs;
    }
    expect(verdicts).toEqual(wanted);
  });

  it.each([
    ["a secret", change(`const b = "${secret}";`), "src/app.js"],
    ["a file that makes programs run", create(workflow, "on: push"), workflow],
  ])("%s is applied when the person names the file, and reported as a warning", async (_title, diff, path) => {
    const warnings = (await judges["thehood patch check"]?.(diff, []))?.said ?? [];
    expect(warnings).toHaveLength(1);
    for (const [name, door] of Object.entries(appliers)) {
      const verdicts = await door(diff, ["--approve-path", path]);
      expect(verdicts, name).toEqual({ ...accept, said: warnings });
      expect(bench.git("status", "--porcelain", "--untracked-files=all"), name).toContain(path);
      bench.git("reset", "-q", "--hard");
      bench.git("clean", "-qfd");
    }
  });

  it("a general word for protected changes does not cover a secret", async () => {
    const diff = change(`const b = "${secret}";`);
    expect(await appliers["thehood patch apply"]?.(diff, ["--approve-protected"])).toMatchObject({
      verdict: "approval",
      reason: "secret_in_patch",
    });
    expect(bench.read("src/app.js")).toBe(app);
  });

  it.each(Object.entries({ ...judges, ...appliers }))(
    "%s first finishes what a dead process left",
    async (_name, door) => {
      const left = join(bench.repo, ".git/thehood/apply/999999999-0");
      mkdirSync(left, { recursive: true });
      expect((await door(good, [])).verdict).toBe("accept");
      expect(existsSync(left)).toBe(false);
    },
  );
});

describe("[B-4] a process that an agent or a check started", () => {
  const mark = { THEHOOD_COMMAND: "x" };
  const diff = create(workflow, "on: push");
  const approves = ["--approve-path", workflow];
  const untouched = () => expect(existsSync(join(bench.repo, ".github"))).toBe(false);
  const asked = (code: number | null, out: string) => {
    const { error } = JSON.parse(out) as { error: { code: string; message: string; remedy: string } };
    return { failed: code !== 0, code: error.code, message: error.message, remedy: error.remedy };
  };

  it("cannot approve a protected file, with either program", async () => {
    writeFileSync(join(bench.dir, "ans.md"), fence(diff));
    const hood = thehood(["patch", "apply", "-", ...approves, "--json"], diff, mark);
    const refused = asked(hood.code, hood.out);
    expect(refused).toMatchObject({ failed: true, code: "permission_denied" });
    untouched();
    bench.double([{ answer: fence(diff) }]);
    const file = join(bench.dir, "ans.md");
    const lines = {
      "oracle apply": ["apply", file, "--apply-mode", "apply", ...approves, "--json"],
      oracle: ["-p", "change the checks", "--apply-mode", "apply", ...approves, "--json"],
    };
    for (const [command, line] of Object.entries(lines)) {
      const ran = await bench.run(line, { env: mark });
      expect(asked(ran.code, ran.stdout), command).toEqual({
        ...refused,
        remedy: `Type it yourself, in a terminal of your own: ${command}`,
      });
      untouched();
    }
    expect(bench.sent).toEqual([]);
  });

  it("does not repeat an approval that a person stored in a session, nor one of a config file", async () => {
    bench.double([{ answer: "no diff" }, { answer: fence(diff) }]);
    await bench.run(["-p", "change the checks", "--slug", "by-a-person", "--apply-mode", "apply", ...approves]);
    const sent = bench.sent.length;
    const again = await bench.run(["restart", "by-a-person", "--fresh", "--json"], { env: mark });
    expect(asked(again.code, again.stdout)).toMatchObject({ failed: true, code: "permission_denied" });
    expect(asked(again.code, again.stdout).message).toContain(workflow);
    expect(bench.sessionIds).toEqual(["by-a-person"]);

    // A session that waits for its process, whose request an agent writes onto the pipe.
    const { record } = bench.session("by-a-person");
    writeFileSync(bench.file("by-a-person", "session.json"), JSON.stringify({ ...record, status: "pending" }));
    const payload = JSON.stringify({ request: record.options, resume: null, warnings: [] });
    const handed = await bench.run(["run-session", "by-a-person"], { env: mark, stdin: payload });
    expect(handed.stderr).toContain("decides nothing");

    writeFileSync(join(bench.home, "config.json"), JSON.stringify({ approvePath: [workflow] }));
    writeFileSync(join(bench.dir, "ans.md"), fence(diff));
    for (const line of [
      ["apply", join(bench.dir, "ans.md"), "--apply-mode", "apply", "--json"],
      ["-p", "change the checks", "--apply-mode", "apply", "--json"],
    ]) {
      const ran = await bench.run(line, { env: mark });
      expect(asked(ran.code, ran.stdout), line[0]).toMatchObject({ failed: true, code: "permission_denied" });
    }
    expect(bench.sent).toHaveLength(sent);
    untouched();
  });

  it("does not send a prompt with its secrets because a stored session did", async () => {
    bench.double([{ answer: "yes" }, { answer: "yes" }]);
    const ask = ["-p", "is this right?", "--slug", "kept-as-typed", "--no-sanitize-prompt"];
    expect((await bench.run(ask)).code).toBe(0);
    const again = await bench.run(["restart", "kept-as-typed", "--fresh", "--json"], { env: mark });
    expect(asked(again.code, again.stdout)).toMatchObject({ failed: true, code: "permission_denied" });
    expect(bench.sent).toHaveLength(1);
  });

  it("lets a person repeat their own session, and an agent one without approvals", async () => {
    bench.double([{ answer: "yes" }, { answer: "yes" }, { answer: "yes" }]);
    await bench.run(["-p", "is this right?", "--slug", "by-a-person", ...approves]);
    await bench.run(["-p", "is this right?", "--slug", "by-an-agent"], { env: mark });
    expect((await bench.run(["restart", "by-a-person", "--fresh"])).code).toBe(0);
    expect((await bench.run(["restart", "by-an-agent", "--fresh"], { env: mark })).code).toBe(0);
  });

  it("can still apply what needs no approval, and cannot log in to a page", async () => {
    writeFileSync(join(bench.dir, "ans.md"), fence(good));
    const applied = await bench.run(["apply", join(bench.dir, "ans.md"), "--apply-mode", "apply"], {
      env: mark,
    });
    expect(applied.code, applied.stderr).toBe(0);
    expect(bench.read("src/app.js")).toContain("const b = 22;");
    const login = await bench.run(["browser", "login", "--json"], { env: mark });
    expect(asked(login.code, login.stdout)).toMatchObject({ failed: true, code: "permission_denied" });
  });
});
