// The command line itself: where a prompt comes from, what goes to which stream, who may configure what.
import { spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { optionsSchema, resultSchema } from "../../src/core/contract/transport/schema/index.ts";
import { cliName } from "../../src/operations/define/index.ts";
import { runFields } from "../../src/operations/oracle/fields.ts";
import { Bench, fence } from "./bench.ts";
import { scriptedBin } from "./built.ts";

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
  bench.double([{ answer: "The answer." }]);
});
afterEach(() => bench.dispose());

const prompts = () => bench.sent.map((entry) => entry["prompt"]);

describe("the command line", () => {
  it("has a flag for every option, and every option has one", () => {
    expect(Object.keys(runFields).sort()).toEqual(Object.keys(optionsSchema.shape).sort());
  });

  it("shows help and version on stdout", async () => {
    const help = await bench.run(["--help", "--all"]);
    expect(help).toMatchObject({ code: 0, stderr: "" });
    for (const [name, field] of Object.entries(runFields)) expect(help.stdout).toContain(`--${cliName(name, field)} `);
    for (const name of [
      "status",
      "session",
      "attach",
      "cancel",
      "restart",
      "clear",
      "doctor",
      "bundle",
      "apply",
      "mcp",
    ])
      expect(help.stdout).toContain(`\n  ${name}`);
    expect((await bench.run(["help", "--all"])).stdout).toBe(help.stdout);
    expect((await bench.run(["--debug-help"])).stdout).toBe(help.stdout);
    const first = await bench.run(["--help"]);
    expect(first.stdout).toContain("oracle --help --all");
    expect((await bench.run(["help"])).stdout).toBe(first.stdout);
    expect((await bench.run(["-p", "x", "--all"])).stderr).toContain("no option --all");
    expect((await bench.run(["status", "--help"])).stdout).toContain("list sessions");
    expect((await bench.run(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([
    ["-p", "look", "--engine", "api", "--dry-run", "-f", "a.txt/x"],
    ["-p", "look", "--engine", "api", "--dry-run", "-f", "loop/x"],
    ["-p", "look", "--engine", "api", "--dry-run", "-f", "x".repeat(5_000)],
    ["-p", "look", "--engine", "api", "--dry-run", "-f", "a.txt/x.png"],
    ["-p", "look", "--engine", "api", "--dry-run", "-f", "a.png", "--root", "nowhere"],
    ["-p", "look", "--engine", "api", "--write-output", "a.txt/x"],
    ["-p", "look", "--engine", "api", "--json-output", "x".repeat(300)],
    ["bundle", "-f", "a.txt", "-o", "a.txt/x"],
    ["bundle", "-f", "a.txt", "-o", "x".repeat(300)],
    ["session", "x".repeat(5_000)],
    ["clear", "x".repeat(5_000)],
    ["apply", "a.txt/x"],
  ])("a path that leads nowhere is the user's to mend, not a fault of ours: %j %j %j %j", async (...args) => {
    bench.withRepository({ "a.txt": "one\n", "a.png": "no picture\n" });
    symlinkSync("loop", join(bench.repo, "loop"));
    const ran = await bench.run(args, { env: { OPENAI_API_KEY: "key-for-tests-only" } });
    expect(ran.code).toBe(1);
    expect(bench.sent).toEqual([]);
    expect(ran.stderr).not.toContain("internal");
    expect(ran.stderr).toMatch(/^→ /m);
  });

  it("takes the prompt from a flag, a file or standard input, and wants exactly one", async () => {
    const file = join(bench.dir, "request.md");
    writeFileSync(file, "from a file ✓\n");
    await bench.run(["-p", "from a flag"]);
    await bench.run(["--prompt-file", file]);
    await bench.run([], { stdin: "from stdin\n" });
    await bench.run(["--prompt-file", "-"], { stdin: "from a dash\n" });
    await bench.run(["-p", "-"], { stdin: "from another dash\n" });
    expect(prompts()).toEqual([
      "from a flag",
      "from a file ✓\n",
      "from stdin\n",
      "from a dash\n",
      "from another dash\n",
    ]);
    expect((await bench.run(["-p", "x", "--prompt-file", file])).stderr).toContain("both given");
    expect((await bench.run(["-p", "   "])).stderr).toContain("prompt is empty");
    expect((await bench.run([])).stderr).toContain("prompt is empty");
    writeFileSync(file, Buffer.from([0xff, 0xfe, 0x41]));
    expect((await bench.run(["--prompt-file", file])).stderr).toContain("not UTF-8");
    expect((await bench.run(["--prompt-file", "missing.md"])).stderr).toContain("no such file");
  });

  it("stdout is the answer, or one JSON document; everything else is on stderr", async () => {
    const plain = await bench.run(["-p", "a question here"]);
    expect(plain.stdout).toBe("The answer.\n");
    expect(plain.stderr).toMatch(/session question-here\n[\s\S]*success/);
    const json = await bench.run(["-p", "a question here", "--json"]);
    expect(resultSchema.parse(JSON.parse(json.stdout)).status).toBe("success");
    const quiet = await bench.run(["-p", "a question here", "--quiet"]);
    expect(quiet.stdout).toBe("The answer.\n");
    expect(quiet.stderr).not.toContain("waiting");
    for (const ran of [plain, json, quiet]) expect(ran.stdout + ran.stderr).not.toContain("\u001b");
  });

  it("says what is wrong with a command, with the next step, as text and as a whole result", async () => {
    const ran = await bench.run(["-p", "x", "--aply-mode", "check"]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/has no option --aply-mode[\s\S]*Did you mean --apply-mode/);
    const json = await bench.run(["-p", "x", "--timeout", "soon", "--json"]);
    expect(resultSchema.parse(JSON.parse(json.stdout))).toMatchObject({
      status: "error",
      sessionId: null,
      error: { code: "invalid_input" },
    });
    const elsewhere = await bench.run(["-p", "x", "--remote-chrome", "h:1", "--json"]);
    expect(resultSchema.parse(JSON.parse(elsewhere.stdout))).toMatchObject({
      status: "error",
      error: { code: "invalid_input", message: expect.stringContaining("--remote ssh://HOST") },
    });
    expect((await bench.run(["stauts"])).stderr).toMatch(/stauts/);
    expect((await bench.run(["hello", "there"])).stderr).toContain('in quotes: oracle "…"');
    expect((await bench.run(["-p", "x", "-m", ""])).stderr).toContain("--model is empty");
    expect((await bench.run(["-p", "x", "--max-retries", "-1"])).code).toBe(1);
    expect(bench.sent).toEqual([]);
    expect(bench.sessionIds).toEqual([]);
  });

  it("[Z-1] a missing or unknown bundle format fails at once and names the accepted ones; there is no --zip", async () => {
    for (const flags of [["--browser-bundle-format"], ["--browser-bundle-format", "rar"]]) {
      const ran = await bench.run(["-p", "x", ...flags]);
      expect(ran.code).toBe(1);
      expect(ran.stderr).toMatch(/text, zip/);
    }
    expect((await bench.run(["-p", "x", "--zip"])).stderr).toContain("has no option --zip");
    expect((await bench.run(["-p", "x", "--engine", "api", "--browser-bundle-format", "zip"])).stderr).toContain(
      "needs the browser engine",
    );
  });

  it("[T-2][T-3][T-5] the target is ChatGPT, or what --browser-url names, made a full address", async () => {
    await bench.run(["-p", "x"]);
    await bench.run(["-p", "x", "--browser-url", "//gemini.google.com/app"]);
    await bench.run(["-p", "x", "--browser-url", "github.com/copilot"]);
    const opened = bench.record.filter((entry) => "open" in entry).map(({ open, site }) => [open, site]);
    expect(opened).toEqual([
      ["https://chatgpt.com/", "chatgpt"],
      ["https://gemini.google.com/app", "gemini"],
      ["https://github.com/copilot", "copilot"],
    ]);
    for (const [bad, message] of [
      ["http://chatgpt.com", /loopback/],
      ["example.com/chat", /no driver for[\s\S]*chatgpt, copilot, gemini/],
      ["not a url", /cannot be used as a browser URL/],
    ] as const) {
      const ran = await bench.run(["-p", "x", "--browser-url", bad]);
      expect(ran.code).toBe(1);
      expect(ran.stderr).toMatch(message);
    }
  });

  it("[T-4] --copilot goes to Copilot, and everything after the answer is the same", async () => {
    bench.withRepository({ "a.txt": "one\n" });
    bench.double([
      { answer: fence("diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n") },
    ]);
    const ran = await bench.run(["-p", "change it", "--copilot", "--apply-mode", "commit", "--json"]);
    expect(JSON.parse(ran.stdout)).toMatchObject({ status: "success", diffApplied: true });
    expect(bench.record[0]).toMatchObject({ open: "https://github.com/copilot/", site: "copilot" });
    expect((await bench.run(["-p", "x", "--copilot", "--browser-url", "chatgpt.com"])).stderr).toContain(
      "two different pages",
    );
    expect((await bench.run(["-p", "x", "--copilot", "--engine", "api"])).stderr).toContain("need the browser engine");
  });

  it("the product holds no scripted page: a script in the environment changes nothing", async () => {
    bench.double([{ answer: "done" }]);
    const ran = await bench.ended(bench.startProduct(["-p", "x y z"], { ORACLE_NO_DETACH: "1" }));
    expect(ran.code).toBe(1);
    expect(bench.record).toEqual([]);
    expect(bench.session().result.status).toBe("error");
  });

  it("with neither a login nor a key one message says how to get either, and nothing is sent", async () => {
    const ran = await bench.run(["-p", "x y z"], { env: { ORACLE_BROWSER_DOUBLE: "" } });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/oracle browser login chatgpt|Install (one|Xvfb)/);
    expect(ran.stderr).toContain("OPENAI_API_KEY");
    expect(bench.session().result.status).toBe("error");
  });

  it("a reader of stderr that goes away does not end the run", async () => {
    bench.double([{ answer: "done", pauseMs: 600 }]);
    const child = bench.start(["-p", "nobody listens now", "--heartbeat", "50ms"], { ORACLE_NO_DETACH: "1" });
    child.stderr?.destroy();
    const ran = await bench.ended(child);
    expect(ran).toMatchObject({ code: 0, stdout: "done\n" });
    expect(bench.session().result.status).toBe("success");
  });

  it.skipIf(!existsSync("/dev/full"))("an answer that does not fit on the disk is no success, and said", () => {
    const full = openSync("/dev/full", "w");
    const env = { ...bench.env, ORACLE_NO_DETACH: "1" };
    const args = [scriptedBin, "-p", "where does it go", "-q"];
    const ran = spawnSync(process.execPath, args, { cwd: bench.dir, env, stdio: ["ignore", full, "pipe"] });
    closeSync(full);
    expect(ran.status).toBe(1);
    expect(String(ran.stderr)).toContain("the output could not be written completely");
    expect(bench.session().result.status).toBe("success");
  });

  const hasScript = spawnSync("script", ["--version"]).status === 0;
  it.skipIf(!hasScript)(
    "a terminal gets no escape sequence that a model wrote, a pipe gets every byte (needs script)",
    async () => {
      const answer = "red \u001b[31malert\u001b[0m \u202egnp.exe";
      bench.double([{ answer }]);
      expect((await bench.run(["-p", "show me", "-q"])).stdout).toBe(`${answer}\n`);
      const command = `${process.execPath} ${scriptedBin} -p "show me" -q 2>/dev/null`;
      const env = { ...bench.env, ORACLE_NO_DETACH: "1", TERM: "xterm" };
      const shown = spawnSync("script", ["-qec", command, "/dev/null"], {
        cwd: bench.dir,
        env,
        encoding: "utf8",
      }).stdout;
      expect(shown).toContain("alert");
      expect(shown).not.toContain("\u001b[31m");
      expect(shown).not.toContain("\u202e");
    },
  );

  it.skipIf(!hasScript)("the name alone shows the help to a person at a terminal (needs script)", () => {
    const command = `${process.execPath} ${scriptedBin}`;
    const shown = spawnSync("script", ["-qec", command, "/dev/null"], {
      cwd: bench.dir,
      env: bench.env,
      encoding: "utf8",
    });
    expect(shown.stdout).toContain("Usage: oracle");
    expect(shown.stdout).not.toContain("no prompt");
  });

  it("doctor names a home that cannot be used, and leaves nothing in one that can", async () => {
    const file = join(bench.dir, "a-file");
    writeFileSync(file, "");
    const bad = await bench.run(["doctor"], { env: { ORACLE_HOME_DIR: join(file, "x") } });
    expect(bad).toMatchObject({ code: 1, stdout: expect.stringMatching(/missing +home folder: .* cannot be written/) });
    expect((await bench.run(["doctor"])).code).toBe(0);
    expect(readdirSync(bench.home)).toEqual([]);
  });

  it("doctor tells what is there and never a key", async () => {
    const key = ["sk", "proj", "Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA"].join("-");
    const ran = await bench.run(["doctor"], { env: { OPENAI_API_KEY: key } });
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/git version/);
    expect(ran.stdout).toContain("OPENAI_API_KEY: set");
    expect(ran.stdout).not.toContain(key);
    mkdirSync(bench.home, { recursive: true });
    writeFileSync(join(bench.home, "config.json"), "{ nonsense");
    const broken = await bench.run(["doctor", "--json"]);
    expect(broken.code).toBe(1);
    expect(JSON.parse(broken.stdout)).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: "config", state: "missing" })]),
    );
  });
});

describe("configuration", () => {
  const userConfig = (text: string) => {
    mkdirSync(bench.home, { recursive: true });
    writeFileSync(join(bench.home, "config.json"), text);
  };
  const projectConfig = (text: string) => {
    mkdirSync(join(bench.repo, ".oracle"), { recursive: true });
    writeFileSync(join(bench.repo, ".oracle/config.json"), text);
  };
  const preview = async (...flags: string[]) =>
    JSON.parse((await bench.run(["-p", "x", "--dry-run", "json", ...flags])).stdout) as {
      model: string;
      target: string;
    };

  it("may hold comments; flags win over the environment, and that over the file", async () => {
    userConfig('{\n  // mine\n  "model": "from-config",\n  "browserUrl": "gemini.google.com/app",\n}');
    expect(await preview()).toMatchObject({ model: "from-config", target: "https://gemini.google.com/app" });
    bench.env["ORACLE_MODEL"] = "from-env";
    expect(await preview()).toMatchObject({ model: "from-env" });
    expect(await preview("-m", "from-flag")).toMatchObject({ model: "from-flag" });
  });

  it("a dry run refuses the name of a session that a run would refuse", async () => {
    const ran = await bench.run(["-p", "x", "--slug", "two words", "--dry-run"]);
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("3 to 5 words") });
  });

  it("a dry run names the browser, the effort, the tool and the further questions of the run", async () => {
    const flags = [
      "--remote",
      "ssh://desk",
      "--thinking-time",
      "heavy",
      "--research",
      "--next",
      "and?",
      "--next",
      "so?",
    ];
    const json = {
      target: "https://chatgpt.com/",
      remote: "ssh://desk",
      effort: "xhigh",
      tool: "research",
      nextCount: 2,
    };
    expect(await preview(...flags)).toMatchObject(json);
    expect(await preview("--engine", "browser")).toMatchObject({
      remote: null,
      effort: null,
      tool: null,
      nextCount: 0,
    });
    const { stdout } = await bench.run(["-p", "x", "--dry-run", ...flags]);
    for (const line of ["Browser of: ssh://desk", "Effort: xhigh", "Tool: Deep Research", "Further questions: 2"])
      expect(stdout.split("\n")).toContain(line);
  });

  it("names an unknown key once, and a wrong value with line and column", async () => {
    userConfig('{\n  "model": "x",\n  "modle": "y"\n}');
    const ran = await bench.run(["-p", "x", "--dry-run"]);
    expect(ran.code).toBe(0);
    expect(ran.stderr.match(/config\.json: no effect here: modle \(did you mean model\?\)/g)).toHaveLength(1);
    userConfig('{ "engine": "telepathy" }');
    expect((await bench.run(["-p", "x"])).stderr).toMatch(/config\.json:1:13/);
    expect((await bench.run(["status"])).code).toBe(0);
  });

  it("a project can name files and a model, never where data goes or what is applied", async () => {
    bench.withRepository({ "a.txt": "one\n" });
    projectConfig('{ "model": "project-model" }');
    expect(await preview()).toMatchObject({ model: "project-model" });
    for (const key of [
      "applyMode",
      "push",
      "browserUrl",
      "baseUrl",
      "engine",
      "gitRoot",
      "secretScan",
      "approvePath",
      "jsonOutput",
    ]) {
      projectConfig(`{ "${key}": "commit" }`);
      const ran = await bench.run(["-p", "x", "--dry-run"]);
      expect(ran.code, ran.stderr).toBe(0);
      expect(ran.stderr, key).toMatch(new RegExp(`no effect here: ${key}`));
    }
    projectConfig('{ "file": ["../../etc/*"] }');
    expect((await bench.run(["-p", "x", "--dry-run"])).stderr).toContain("leads out of the project");
    projectConfig('{ "model": "claude-opus-5" }');
    const ran = await bench.run(["-p", "x", "--engine", "api", "--dry-run"]);
    expect(ran.stderr).toContain("would send data to another provider");
  });
});

describe("oracle apply", () => {
  const diff = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n";

  it("runs the diff pipeline on a saved answer: from a file, a session or standard input", async () => {
    bench.withRepository({ "a.txt": "one\n" });
    const file = join(bench.dir, "answer.md");
    writeFileSync(file, fence(diff));
    const checked = await bench.run(["apply", file]);
    expect(checked).toMatchObject({ code: 0, stdout: diff });
    expect(bench.read("a.txt")).toBe("one\n");
    const committed = await bench.run(["apply", "-", "--apply-mode", "commit", "--json"], {
      stdin: fence(diff),
    });
    const result = resultSchema.parse(JSON.parse(committed.stdout));
    expect(result).toMatchObject({
      status: "success",
      sessionId: null,
      diffApplied: true,
      commitSha: bench.git("rev-parse", "HEAD"),
    });
    bench.git("reset", "-q", "--hard", "HEAD~1");
    bench.double([{ answer: fence(diff) }]);
    await bench.run(["-p", "a later thought"]);
    expect((await bench.run(["apply", "later-thought", "--apply-mode", "apply"])).code).toBe(0);
    expect(bench.read("a.txt")).toBe("two\n");
    expect((await bench.run(["apply", "nothing-here"])).stderr).toContain("neither a file nor a session");
  });

  it("has the exit codes of a run", async () => {
    bench.withRepository({ "a.txt": "other\n" });
    expect((await bench.run(["apply", "-"], { stdin: "no diff" })).code).toBe(2);
    expect((await bench.run(["apply", "-"], { stdin: fence(diff) })).code).toBe(4);
    const out = join(bench.dir, "result.json");
    await bench.run(["apply", "-", "--json-output", out], { stdin: fence(diff) });
    expect(resultSchema.parse(JSON.parse(readFileSync(out, "utf8"))).gitApplyError).toContain("patch failed");
  });
});
