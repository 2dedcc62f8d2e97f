import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ApiServer, type Play } from "../support/api-server.ts";
import { Bench } from "./bench.ts";
import { bin } from "./built.ts";
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

const inputOf = (at: number) => server.asked[at]?.body["input"] as { content: unknown }[];
/** Gives a program a terminal of its own. */
const terminal = spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux");

describe("a person asks", () => {
  it.skipIf(!terminal)("sees the answer on the terminal while it comes, and once", async () => {
    await serve([{ text: "The first half of an answer, and the second half.", stall: true }]);
    const child = bench.startProgram("script", [
      "-qefc",
      `${process.execPath} ${bin} 'what is it then' --timeout 8s`,
      "/dev/null",
    ]);
    let shown = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (shown += text));
    await waitFor(() => shown.includes("The first half"), "the first words");
    // The server says nothing more: these words came before any end.
    expect(bench.status()).toBe("running");
    await new Promise((resolve) => child.on("close", resolve));
    expect(shown.split("The first half")).toHaveLength(2);
  });

  it("reads tokens and cost in one line before sending and in one at the end", async () => {
    await serve([{ text: "yes" }]);
    mkdirSync(bench.home, { recursive: true });
    const models = {
      mine: { model: "gpt-x", baseUrl: `${server.origin}/v1`, price: { input: 10, output: 100 } },
    };
    writeFileSync(join(bench.home, "config.json"), JSON.stringify({ models }));
    const ran = await bench.run(["-m", "mine", "is it so or not", "--json"]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toMatch(
      /^sending about 4 tokens with 0 files to http:\S+ as gpt-x: \$0\.0000 before the answer$/m,
    );
    expect(ran.stderr).toMatch(/^tokens: 100 in, 20 out \(5 of them thinking\); about \$0\.0030$/m);
    expect(JSON.parse(ran.stdout)).toMatchObject({ costUsd: 0.003 });
  });

  it("gives the request without a flag; a word alone is no request", async () => {
    await serve([{ text: "yes" }]);
    expect(await bench.run(["is it so or not"])).toMatchObject({ code: 0, stdout: "yes\n" });
    expect(inputOf(0)[0]?.content).toBe("is it so or not");
    const word = await bench.run(["-q", "status"]);
    expect(word.code).toBe(1);
    expect(word.stderr).toContain("A command comes first: oracle status");
    const twice = await bench.run(["-p", "one", "and another one"]);
    expect(twice.stderr).toContain("given twice");
    expect(server.asked).toHaveLength(1);
  });

  it("puts the whole message on the clipboard and sends nothing", async () => {
    await serve([]);
    bench.withRepository({ "a.txt": "one\n" });
    const programs = join(bench.dir, "programs");
    mkdirSync(programs);
    writeFileSync(join(programs, "wl-copy"), `#!/bin/sh\ncat > ${join(bench.dir, "board")}\n`);
    chmodSync(join(programs, "wl-copy"), 0o755);
    // A program of the repository is never started, whatever stands first on the search path.
    const own = join(bench.repo, "node_modules/.bin");
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "pbcopy"), `#!/bin/sh\ntouch ${join(bench.dir, "taken")}\n`);
    chmodSync(join(own, "pbcopy"), 0o755);
    const env = { PATH: `${own}:${programs}:${bench.env["PATH"] ?? ""}` };
    const ran = await bench.run(["look at it", "-f", "a.txt", "--copy-markdown"], { env });
    expect(ran.code, ran.stderr).toBe(0);
    expect(existsSync(join(bench.dir, "taken"))).toBe(false);
    expect(ran.stderr).toContain("nothing was sent");
    const board = readFileSync(join(bench.dir, "board"), "utf8");
    expect(board).toMatch(/^look at it\n[\s\S]*### File: a\.txt/);
    expect(server.seen).toEqual([]);
    expect(bench.sessionIds).toEqual([]);
  });
});

describe("files of other folders", () => {
  it("go along when --root names the folder, and are refused when it does not", async () => {
    await serve([{ text: "yes" }]);
    bench.withRepository({ "a.txt": "one\n" });
    mkdirSync(join(bench.dir, "shared/lib"), { recursive: true });
    writeFileSync(join(bench.dir, "shared/lib/b.ts"), "export const b = 1;\n");
    writeFileSync(join(bench.dir, "shared/lib/c.ts"), "export const c = 1;\n");
    writeFileSync(join(bench.dir, "canary.ts"), "canary\n");
    symlinkSync(join(bench.dir, "canary.ts"), join(bench.dir, "shared/lib/link.ts"));
    const files = ["-f", "a.txt", "../shared/lib/*.ts", "!c.ts"];
    await bench.run(["look at both", ...files, "--root", "../shared"]);
    const sent = String(inputOf(0)[0]?.content);
    expect(sent).toContain("### File: a.txt");
    expect(sent).toContain("### File: shared/lib/b.ts");
    expect(sent).not.toContain("export const c");
    expect(sent).not.toContain("canary\n");
    const without = await bench.run(["look at both", ...files]);
    expect(without.code).toBe(1);
    expect(server.asked).toHaveLength(1);
    expect(without.stderr).toContain("../shared/lib/*.ts is not sent: outside root.");
  });

  it("are in a ZIP under the name of their folder", async () => {
    await serve([]);
    bench.withRepository({ "a.txt": "one\n", "shared/own.txt": "own\n" });
    mkdirSync(join(bench.dir, "shared"));
    writeFileSync(join(bench.dir, "shared/b.ts"), "export const b = 1;\n");
    const out = join(bench.dir, "out.zip");
    const ran = await bench.run([
      "bundle",
      "--file=.",
      "--file=../shared/b.ts",
      "--root=../shared",
      "--browser-bundle-format=zip",
      `--output=${out}`,
    ]);
    expect(ran.code, ran.stderr).toBe(0);
    const listed = spawnSync("python3", ["-m", "zipfile", "-l", out], { encoding: "utf8" }).stdout;
    expect(listed).toContain("files/shared/own.txt");
    expect(listed).toContain("files/shared-2/b.ts");
  });
});

describe("pictures and documents", () => {
  const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
  const pdf = Buffer.from("%PDF-1.7\n%%EOF\n");
  beforeEach(() => {
    bench.withRepository({ "a.txt": "one\n" });
    writeFileSync(join(bench.repo, "logo.png"), png);
    writeFileSync(join(bench.repo, "paper.pdf"), pdf);
  });

  it("go along as they are, in the form of the API", async () => {
    await serve([{ text: "seen" }, { text: "seen" }]);
    const ran = await bench.run(["what is on it", "-f", "logo.png", "paper.pdf", "--provider", "openai"]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(inputOf(0)[0]?.content).toEqual([
      { type: "input_image", image_url: `data:image/png;base64,${png.toString("base64")}` },
      {
        type: "input_file",
        filename: "paper.pdf",
        file_data: `data:application/pdf;base64,${pdf.toString("base64")}`,
      },
      { type: "input_text", text: "what is on it" },
    ]);
    const claude = ["-m", "claude-opus-5", "--provider", "anthropic", "--base-url", server.origin];
    const second = await bench.run(["what is on it", "-f", "logo.png", "paper.pdf", ...claude], {
      env: { ANTHROPIC_API_KEY: "anthropic-key" },
    });
    expect(second.code, second.stderr).toBe(0);
    const messages = server.asked[1]?.body["messages"] as { content: { type: string }[] }[] | undefined;
    expect(messages?.[0]?.content.map(({ type }) => type)).toEqual(["image", "document", "text"]);
  });

  it("are refused by name where the target takes none, where they are not what they are called, and elsewhere", async () => {
    await serve([]);
    const refused = async (words: string, ...args: string[]) => {
      const ran = await bench.run(["what is on it", ...args]);
      expect(ran.code).toBe(1);
      expect(ran.stderr).toContain(words);
    };
    await refused("openai-chat takes no PDF", "-f", "paper.pdf", "--provider", "openai-chat");
    writeFileSync(join(bench.repo, "false.png"), "text");
    await refused("it is not image/png", "-f", "false.png");
    writeFileSync(join(bench.dir, "far.png"), png);
    await refused("outside of the folder", "-f", "../far.png");
    symlinkSync(join(bench.dir, "far.png"), join(bench.repo, "link.png"));
    await refused("outside of the folder", "-f", "link.png");
    await refused("There is no file", "-f", "absent.png", "--dry-run");
    expect(server.seen).toEqual([]);
  });
});
