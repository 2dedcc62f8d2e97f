// Several questions in one run, the same request twice, and the notice at the end: the real command against a loopback server.
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SessionRecord } from "../../src/core/contract/transport/index.ts";
import { ApiServer, type Play } from "../support/api-server.ts";
import { Bench } from "./bench.ts";
import { waitFor } from "./wait.ts";

let bench: Bench;
let server: ApiServer;
beforeEach(() => {
  bench = new Bench();
});
afterEach(async () => {
  bench.dispose();
  await server.stop();
});

async function serve(steps: Play[]): Promise<void> {
  server = await ApiServer.start(steps);
  Object.assign(bench.env, { OPENAI_API_KEY: "key-for-tests-only", OPENAI_BASE_URL: `${server.origin}/v1` });
}

const inputs = () => server.asked.map(({ body }) => JSON.stringify(body["input"]));
const record = (id: string) => JSON.parse(readFileSync(bench.file(id, "session.json"), "utf8")) as SessionRecord;

describe("--next", () => {
  it("asks one question after the other in the same conversation, and the last answer is the result", async () => {
    await serve([{ text: "one" }, { text: "two" }, { text: "three" }]);
    const ran = await bench.run(["-p", "what comes first", "--next", "and then?", "--next", "- and at last?"]);
    expect(ran).toMatchObject({ code: 0, stdout: "three\n" });
    expect(inputs()).toHaveLength(3);
    for (const text of ["what comes first", "one", "and then?", "two", "- and at last?"])
      expect(inputs()[2]).toContain(text);
    const { dir } = bench.session();
    expect(readFileSync(join(dir, "answer.md"), "utf8")).toContain("three");
    expect(readdirSync(dir).filter((name) => /^answer-\d\.md$/.test(name))).toHaveLength(2);
  });

  it("[T-24] replaces a secret in it before it is stored or sent, and stops for it with --secret-scan", async () => {
    const secret = ["ghp", "16C7e42F292c6912E7710c838347Ae178B4a"].join("_");
    await serve([{ text: "one" }, { text: "two" }]);
    const ran = await bench.run(["-p", "what comes first", "--next", `use ${secret} then`]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(inputs().join("")).not.toContain(secret);
    expect(inputs()[1]).toContain("***REDACTED***");
    for (const name of readdirSync(bench.session().dir))
      expect(readFileSync(join(bench.session().dir, name), "utf8"), name).not.toContain(secret);
    const stopped = await bench.run(["-p", "what comes next", "--next", `use ${secret} then`, "--secret-scan"]);
    expect(stopped.code).toBe(3);
    expect(inputs()).toHaveLength(2);
  });

  it("asks nothing after an answer that is not whole, and refuses an empty text", async () => {
    await serve([{ text: "half of it", incomplete: "max_output_tokens" }]);
    expect((await bench.run(["-p", "what comes first", "--next", "and then?"])).code).toBe(2);
    expect((await bench.run(["-p", "what comes first", "--next", " "])).code).toBe(1);
    expect(inputs()).toHaveLength(1);
  });

  it("[T-32] goes on after kill -9 where it was: the waiting answer is fetched, and no question is sent twice", async () => {
    await serve([{ text: "one" }, { text: "two", polls: 4 }, { text: "three" }]);
    const args = [
      "-p",
      "what comes first",
      "--next",
      "and then?",
      "--next",
      "at last?",
      "--background",
      "--provider",
      "openai",
    ];
    const started = await bench.run([...args, "--no-wait"], { env: { ORACLE_NO_DETACH: "" } });
    expect(started.code, started.stderr).toBe(0);
    const [id = ""] = bench.sessionIds;
    await waitFor(() => record(id).conversation?.turn === 1, "the second question");
    process.kill(record(id).process?.pid ?? 0, "SIGKILL");
    const again = await bench.run(["restart", id], { env: { ORACLE_NO_DETACH: "" } });
    expect(again).toMatchObject({ code: 0, stdout: "three\n" });
    expect(inputs().filter((text) => text.includes("what comes first"))).toHaveLength(1);
    expect(inputs().filter((text) => text.includes("and then?"))).toHaveLength(1);
    expect(inputs().filter((text) => text.includes("at last?"))).toHaveLength(1);
  });
});

describe("the same request while it runs", () => {
  const detached = { env: { ORACLE_NO_DETACH: "" } };

  it("is refused with the session that runs, unless --force; another request goes", async () => {
    await serve([{ hang: true }, { text: "another" }, { text: "forced" }, { text: "again" }]);
    await bench.run(["-p", "what is it then", "--no-wait", "--slug", "the first one"], detached);
    await waitFor(() => server.asked.length === 1, "the first request");
    const twin = await bench.run(["-p", "what is it then"]);
    expect(twin.code).toBe(1);
    expect(twin.stderr).toContain('already as session "the-first-one"');
    expect(twin.stderr).toContain("oracle attach the-first-one");
    expect(server.asked).toHaveLength(1);
    expect((await bench.run(["-p", "what is it then", "--next", "more"])).stdout).toBe("forced\n");
    expect((await bench.run(["-p", "what is it then", "--force"])).code).toBe(0);
    expect((await bench.run(["cancel", "the-first-one"])).code).toBe(0);
    expect((await bench.run(["-p", "what is it then"])).code).toBe(0);
  });

  it("goes to one of several callers at once", async () => {
    await serve([{ text: "once", delayMs: 4_000 }]);
    const ran = await Promise.all(Array.from({ length: 4 }, () => bench.run(["-p", "all of us at once"])));
    expect(ran.map(({ code }) => code).sort()).toEqual([0, 1, 1, 1]);
    expect(server.asked).toHaveLength(1);
    expect(bench.sessionIds).toHaveLength(1);
  });
});

describe("--notify", () => {
  it("shows the name of the session and how it ended, never a text of the request or the answer", async () => {
    await serve([{ text: "the answer itself" }, { text: "more" }]);
    const folder = join(bench.dir, "desktop");
    mkdirSync(folder);
    const said = join(bench.dir, "said.txt");
    writeFileSync(join(folder, "notify-send"), `#!/bin/sh\nprintf '%s|' "$@" >> '${said}'\n`);
    chmodSync(join(folder, "notify-send"), 0o755);
    const env = { PATH: `${folder}:${bench.env["PATH"] ?? ""}` };
    expect((await bench.run(["-p", "a private question", "--notify", "--slug", "a name here"], { env })).code).toBe(0);
    expect(readFileSync(said, "utf8")).toBe("--app-name=oracle|--|oracle: success|Session a-name-here has ended.|");
    expect((await bench.run(["-p", "without a notice"], { env })).code).toBe(0);
    expect(readFileSync(said, "utf8").split("oracle: ")).toHaveLength(2);
  });

  it("a desktop that refuses changes nothing of the run", async () => {
    await serve([{ text: "yes" }]);
    const folder = join(bench.dir, "desktop");
    mkdirSync(folder);
    writeFileSync(join(folder, "notify-send"), "#!/bin/sh\nexit 1\n");
    chmodSync(join(folder, "notify-send"), 0o755);
    const env = { PATH: `${folder}:${bench.env["PATH"] ?? ""}` };
    const ran = await bench.run(["-p", "is it so or not", "--notify"], { env });
    expect(ran).toMatchObject({ code: 0, stdout: "yes\n" });
    expect(existsSync(bench.session().dir)).toBe(true);
    expect(readFileSync(join(bench.session().dir, "output.log"), "utf8")).toContain(
      "no notice was shown: notify-send did not",
    );
  });
});
