// Sessions: their names, their files, and what is true of them while they run and after they died.
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SessionRecord } from "../../src/core/contract/transport/index.ts";
import { Bench } from "./bench.ts";
import { waitFor } from "./wait.ts";

/** `environment` names the place of the sessions: nothing for the folders of one machine, or a database. */
export function sessionsSuite(place: string, environment: () => Promise<Record<string, string>>): void {
  let bench: Bench;
  beforeEach(async () => {
    bench = new Bench();
    Object.assign(bench.env, await environment());
    bench.double([{ answer: "The answer.", html: "<p>The answer.</p>" }]);
  });
  afterEach(() => bench.dispose());

  const json = async (...args: string[]) => JSON.parse((await bench.run([...args, "--json"])).stdout) as unknown;
  const recordOf = (id: string) => JSON.parse(readFileSync(bench.file(id, "session.json"), "utf8")) as SessionRecord;
  /** Starts a detached run that will wait, and answers its id. */
  async function startSlow(turn: Record<string, unknown> = { hang: true }, ...flags: string[]): Promise<string> {
    bench.double([turn]);
    const ran = await bench.ended(bench.start(["-p", "a slow question", "--no-wait", ...flags]));
    expect(ran.code, ran.stderr).toBe(0);
    const id = ran.stdout.trim();
    await waitFor(() => bench.sent.length > 0, "the send");
    return id;
  }

  describe(`a session's folder, ${place}`, () => {
    it("[T-6][T-7] is named after the prompt, and a taken name gets a number", async () => {
      await bench.run(["-p", "Fix the LOGIN test, please! Now."]);
      await bench.run(["-p", "Fix the LOGIN test, please! Now."]);
      expect(bench.sessionIds).toEqual(["fix-the-login-test-please", "fix-the-login-test-please-2"]);
    });

    it("[T-6] two runs started at the same moment never share a folder", async () => {
      const runs = await Promise.all(
        [1, 2, 3, 4].map(() => bench.run(["-p", "same prompt here", "--json", "--force"])),
      );
      const ids = runs.map(({ stdout }) => (JSON.parse(stdout) as { sessionId: string }).sessionId);
      expect(new Set(ids).size).toBe(4);
      expect(bench.sessionIds.length).toBe(4);
    });

    it("[T-6] lies in ~/.oracle without ORACLE_HOME_DIR", async () => {
      const ran = await bench.run(["-p", "where am I"], { env: { ORACLE_HOME_DIR: "" } });
      expect(ran.code, ran.stderr).toBe(0);
      expect(existsSync(join(bench.dir, "user/.oracle/sessions/where-am/session.json"))).toBe(true);
    });

    it("[T-7] --slug takes three to five words and makes them safe for files", async () => {
      expect((await bench.run(["-p", "x", "--slug", "Login: Größe / Test"])).code).toBe(0);
      expect(bench.sessionIds).toEqual(["login-größe-test"]);
      for (const bad of ["two words", "one two three four five six", "../../../etc"]) {
        const ran = await bench.run(["-p", "x", "--slug", bad]);
        expect(ran.code).toBe(1);
        expect(ran.stderr).toContain("3 to 5 words");
      }
    });

    it("[T-8][T-9][T-33] holds the record, the log, the result, the metrics and the answer, for the user's eyes only", async () => {
      await bench.run(["-p", "What is it?", "--apply-mode", "none"]);
      const { record, dir } = bench.session();
      expect(record).toMatchObject({
        id: "what-is-it",
        status: "diff_missing",
        promptPreview: "What is it?",
        model: "current",
        cwd: bench.dir,
        mode: "browser",
        options: {
          prompt: "What is it?",
          files: { patterns: [] },
          browser: { url: "https://chatgpt.com/", site: "chatgpt" },
        },
        usage: null,
        stage: "ended",
      });
      const files = readdirSync(dir).sort();
      expect(files).toEqual(["answer.html", "answer.md", "metrics.json", "output.log", "result.json", "session.json"]);
      for (const file of files) expect(statSync(join(dir, file)).mode & 0o777, file).toBe(0o600);
      expect(statSync(dir).mode & 0o777).toBe(0o700);
      expect(readFileSync(join(dir, "answer.md"), "utf8")).toBe("The answer.");
      expect(readFileSync(join(dir, "answer.html"), "utf8")).toBe("<p>The answer.</p>");
      expect(JSON.parse(readFileSync(join(dir, "metrics.json"), "utf8"))).toMatchObject({
        sessionId: "what-is-it",
        status: "diff_missing",
        attempts: [{ responseChars: 11, complete: true }],
      });
      expect(readFileSync(join(dir, "output.log"), "utf8")).toMatch(/waiting\n[\s\S]*ended: diff_missing\n$/);
    });

    it("[T-9] three flags move the diff, the result and the metrics", async () => {
      const diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
      bench.double([{ answer: `\`\`\`diff\n${diff}\`\`\`\n` }]);
      const at = (name: string) => join(bench.dir, name);
      const flags = [
        "--diff-output",
        "d.patch",
        "--json-output",
        at("r.json"),
        "--metrics-output",
        at("m.json"),
        "--write-output",
        at("a.md"),
      ];
      expect((await bench.run(["-p", "x", ...flags])).code).toBe(0);
      expect(readFileSync(at("d.patch"), "utf8")).toBe(diff);
      expect(JSON.parse(readFileSync(at("r.json"), "utf8"))).toMatchObject({
        status: "success",
        diffPath: at("d.patch"),
      });
      expect(JSON.parse(readFileSync(at("m.json"), "utf8"))).toMatchObject({ status: "success" });
      expect(readFileSync(at("a.md"), "utf8")).toContain("```diff");
      // A later run that finds nothing leaves no result of an earlier one behind.
      bench.double([{ answer: "no diff" }]);
      expect((await bench.run(["-p", "x", ...flags])).code).toBe(2);
      expect(existsSync(at("d.patch"))).toBe(false);
      expect(JSON.parse(readFileSync(at("r.json"), "utf8"))).toMatchObject({
        status: "diff_missing",
        diffPath: null,
      });
    });

    it("[T-8] session.json is whole at every moment of a run", async () => {
      bench.double([{ answer: "x".repeat(1000), pauseMs: 400 }]);
      const child = bench.start(["-p", "watch me now", "--heartbeat", "50ms"], { ORACLE_NO_DETACH: "1" });
      const ended = bench.ended(child);
      const seen = new Set<string>();
      while (child.exitCode === null) {
        const path = bench.file("watch-me-now", "session.json");
        if (existsSync(path)) seen.add((JSON.parse(readFileSync(path, "utf8")) as SessionRecord).stage);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      await ended;
      expect(seen.has("waiting")).toBe(true);
      expect(readFileSync(bench.file("watch-me-now", "output.log"), "utf8")).toMatch(
        /waiting: \d+ s, 500 characters so far/,
      );
    });

    it("a preview makes none", async () => {
      for (const flag of ["--dry-run", "--render"]) expect((await bench.run(["-p", "x", flag])).code).toBe(0);
      expect(existsSync(bench.home)).toBe(false);
    });
  });

  describe(`a detached run, ${place}`, () => {
    it("[T-30] is the default: its own process group, followed to its end with one table of exit codes", async () => {
      const ran = await bench.ended(bench.start(["-p", "a detached question"]));
      expect(ran).toMatchObject({ code: 0, stdout: "The answer.\n" });
      expect(ran.stderr).toContain("ended: success");
      expect(bench.session().record.status).toBe("success");
      bench.double([{ answer: "nothing" }]);
      expect((await bench.ended(bench.start(["-p", "a detached question", "--strict-diff"]))).code).toBe(2);
    });

    it("[T-30] goes on when the process that started it is killed and the terminal closes", async () => {
      bench.double([{ answer: "late", until: bench.gate }]);
      const child = bench.start(["-p", "survive the terminal"]);
      const ended = bench.ended(child);
      await waitFor(() => bench.sent.length > 0);
      child.kill("SIGKILL");
      expect((await ended).signal).toBe("SIGKILL");
      // What a closing terminal sends to the processes it knows.
      process.kill(-(recordOf("survive-the-terminal").process?.pid ?? 0), "SIGHUP");
      bench.open();
      await waitFor(() => recordOf("survive-the-terminal").status !== "running", "the end");
      expect(bench.session().result).toMatchObject({ status: "success" });
      expect(readFileSync(bench.file("survive-the-terminal", "answer.md"), "utf8")).toBe("late");
    });

    it("[T-30] is listed while it runs, attached to live, and its answer is printed", async () => {
      const id = await startSlow({ answer: "it took a while", until: bench.gate });
      expect(await json("status")).toMatchObject([{ id, status: "running", stage: "waiting" }]);
      const shown = await bench.run(["session", id]);
      expect(shown.stderr).toContain(`${id}: running (waiting)`);
      const attached = bench.start(["attach", id]);
      // The answer is let out once the follower is seen to follow, however long its start takes.
      attached.stderr?.on("data", (chunk: Buffer) => {
        if (chunk.includes("waiting")) bench.open();
      });
      const ran = await bench.ended(attached);
      expect(ran).toMatchObject({ code: 0, stdout: "it took a while\n" });
      expect(ran.stderr).toMatch(/waiting[\s\S]*ended: success/);
      expect(await json("session", id)).toMatchObject({
        session: { status: "success" },
        result: { status: "success" },
      });
      expect((await bench.run(["session", id])).stdout).toBe("it took a while\n");
    });

    it("[T-30] can be cancelled, and has a result", async () => {
      const id = await startSlow();
      const ran = await bench.run(["cancel", id]);
      expect(ran.code).toBe(0);
      expect(bench.session(id).result).toMatchObject({ status: "error", error: { code: "interrupted" } });
      expect(bench.session(id).record.status).toBe("error");
      expect((await bench.run(["cancel", id])).stderr).toContain("had ended before");
      expect(bench.record.at(-1)).toEqual({ closed: true });
    });

    it("[T-30] an engine that does not listen is left behind: cancel still ends the run in order", async () => {
      const id = await startSlow({ deaf: true, answer: "half of this" });
      await bench.run(["cancel", id]);
      const { result } = bench.session(id);
      expect(result).toMatchObject({ status: "error", error: { code: "interrupted" } });
      expect(readFileSync(result.answerPath ?? "", "utf8")).toBe("half o");
    });

    it("[T-30] kill -9 leaves a truthful state on the next look, a result, and no temporary file", async () => {
      const id = await startSlow({ hang: true }, "--json-output", join(bench.dir, "out.json"));
      const pid = recordOf(id).process?.pid ?? 0;
      const temporary = bench.file(id, "tmp");
      mkdirSync(temporary);
      writeFileSync(join(temporary, "oracle-context-package.zip"), "PK");
      process.kill(pid, "SIGKILL");
      await waitFor(() => !existsSync(`/proc/${pid}`) || readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z"));
      expect(recordOf(id).status).toBe("running");
      expect(await json("status")).toMatchObject([{ id, status: "error" }]);
      const { record, result } = bench.session(id);
      expect(record).toMatchObject({ status: "error", error: { code: "interrupted" } });
      expect(result.error?.message).toContain(`pid ${pid}`);
      expect(existsSync(temporary)).toBe(false);
      expect(JSON.parse(readFileSync(join(bench.dir, "out.json"), "utf8"))).toMatchObject({
        status: "error",
        sessionId: id,
      });
    });

    it("[T-30] a reused process number is not taken for the run", async () => {
      const id = await startSlow();
      const record = recordOf(id);
      process.kill(record.process?.pid ?? 0, "SIGKILL");
      const other = { ...record, process: { ...record.process, pid: process.pid } };
      writeFileSync(bench.file(id, "session.json"), JSON.stringify(other));
      expect(await json("status")).toMatchObject([{ id, status: "error" }]);
    });

    it("restart runs a session's request again in a session of its own", async () => {
      const id = await startSlow();
      await bench.run(["cancel", id]);
      bench.double([{ answer: "second time" }]);
      const ran = await bench.run(["restart", id]);
      expect(ran).toMatchObject({ code: 0, stdout: "second time\n" });
      expect(bench.session(`${id}-2`).record).toMatchObject({ restartedFrom: id, status: "success" });
      expect(bench.sent[0]?.["prompt"]).toBe("a slow question");
    });

    it("clear removes what has ended, never what runs", async () => {
      await bench.run(["-p", "an old question"]);
      const id = await startSlow();
      const refused = await bench.run(["clear", id]);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain(`oracle cancel ${id}`);
      expect((await bench.run(["clear"])).code).toBe(1);
      expect(await json("clear", "--older-than", "1d")).toEqual({ removed: [], wouldRemove: [] });
      expect((await bench.run(["clear", "--older-than", "60d"])).stderr).toBe("removed no session\n");
      expect((await bench.run(["clear", "--older-than", "7"])).stderr).toContain("7d");
      expect(await json("clear", "--all", "--dry-run")).toEqual({
        removed: [],
        wouldRemove: ["an-old-question"],
      });
      expect(await json("clear", "--all")).toEqual({ removed: ["an-old-question"], wouldRemove: [] });
      expect(bench.sessionIds).toEqual([id]);
    });

    it("a session that is not there, or is damaged, is named as such", async () => {
      expect((await bench.run(["session", "nothing-like-it"])).stderr).toContain('no session "nothing-like-it"');
      await bench.run(["-p", "an old question"]);
      for (const words of [
        ["session", "an-old"],
        ["attach", "an-old-qestion"],
        ["clear", "an-old"],
      ])
        expect((await bench.run(words)).stderr).toContain("Did you mean an-old-question?");
      expect(bench.sessionIds).toEqual(["an-old-question"]);
      await bench.run(["clear", "--all"]);
      expect((await bench.run(["attach", "../../etc"])).stderr).toContain("not the name of a session");
      mkdirSync(join(bench.home, "sessions", "broken-one"), { recursive: true });
      writeFileSync(bench.file("broken-one", "session.json"), '{"id": "brok');
      expect(await json("status")).toMatchObject([{ id: "broken-one", status: "unreadable" }]);
      expect((await bench.run(["clear", "broken-one"])).code).toBe(0);
    });
  });
}
