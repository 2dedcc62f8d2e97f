// The command line as programs see it: with --json, stdout is one JSON document, whatever was asked.
import { describe, expect, it } from "vitest";
import { runStates } from "../../core/contract/index.ts";
import { commandsOf, runProgram } from "../argv/index.ts";
import { operations } from "../../operations/index.ts";
import { hoodProgram, operationsFor } from "./program.ts";

const nothing = new Proxy({}, { get: () => () => Promise.reject(new Error("nothing may be asked for")) });
const table = commandsOf(hoodProgram(nothing as never, operations)).map(({ spec }) => spec);

async function call(argv: string[]) {
  let out = "";
  let err = "";
  const io = {
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
    bytes: () => undefined,
    stdin: (async function* () {})(),
    color: true,
    terminal: true,
    live: false,
    columns: 40,
  };
  const deps = {
    io,
    cwd: () => undefined,
    version: "1.2.3",
    signal: AbortSignal.timeout(9_000),
  };
  const code = await runProgram(argv, hoodProgram(nothing as never, await operationsFor(argv)), deps);
  return { code, out, err };
}

const json = async (argv: string[]) => {
  const { code, out } = await call([...argv, "--json"]);
  expect(out.endsWith("\n")).toBe(true);
  return { code, data: JSON.parse(out) as { ok: boolean; help?: string; error?: { remedy?: string } } };
};

describe("--json", () => {
  it("is JSON for the program's own answers too", async () => {
    expect((await json(["--version"])).data).toMatchObject({ ok: true, version: "1.2.3" });
    for (const argv of [[], ["--help"], ["help"], ["--repo", "/x", "-h"]])
      expect((await json(argv)).data.help).toContain("thehood --help --all");
    expect((await json(["--help", "--all"])).data.help).toContain("Exit codes");
    expect((await json(["completion", "bash"])).data).toMatchObject({
      ok: true,
      shell: "bash",
    });
  });

  it.each(table.map(({ name }) => [name]))("is JSON for the help and the mistakes of %s", async (name) => {
    const words = name.split(" ");
    for (const argv of [
      [...words, "--help"],
      ["help", ...words],
    ]) {
      const { code, data } = await json(argv);
      expect(code).toBe(0);
      expect(data.help).toContain(`thehood ${name}`);
      expect(data.help).not.toContain("\u001b");
    }
    const { code, data } = await json([...words, "--no-such-option"]);
    expect(code).toBe(2);
    expect(data.error?.remedy).toBeTruthy();
  });
});

describe("the program without a command", () => {
  it("shows the overview, the version, or which option it does not know", async () => {
    expect((await call([])).out).toContain("thehood demo");
    expect((await call(["-V"])).out).toBe("1.2.3\n");
    const refused = await call(["--jsn"]);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("--json");
  });
});

describe("a folder that is gone", () => {
  it("is reported, and nothing is needed of it where a repository is named or none is asked about", async () => {
    const { code, err } = await call(["status"]);
    expect(code).toBe(2);
    expect(err).toContain("--repo");
    expect((await call(["completion", "bash"])).code).toBe(0);
    expect((await call(["--help"])).code).toBe(0);
  });
});

describe("the table", () => {
  it("names every state a run can be in", () => {
    const state = table.find(({ name }) => name === "runs")?.options?.find(({ name }) => name === "state");
    expect(state?.choices).toEqual(runStates);
  });

  it("lines up what it says about options", async () => {
    for (const { name } of table) {
      const { out } = await call([...name.split(" "), "--help"]);
      const columns = out
        .replaceAll(/\u001b\[\d+m/g, "")
        .split("\n")
        .flatMap((line) => /^ {2}(?:-\w, | {4})--\S+(?: <[^>]+>)? {2,}/.exec(line)?.[0].length ?? []);
      expect(new Set(columns).size, name).toBe(1);
    }
  });
});
