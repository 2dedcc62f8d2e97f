import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { FailureError } from "../../contract/index.ts";
import { completionScript, shells } from "./completion.ts";
import { commandHelp, overview } from "./help.ts";
import { findCommand, parseCommand } from "./parse.ts";
import type { CommandSpec } from "./spec.ts";
import { createStyle } from "./style.ts";
import { table as realTable } from "./table.ts";

const load = async () => ({ run: async () => 0 });
const table: CommandSpec[] = [
  { name: "plan", group: "g", summary: "s", args: [{ name: "goal", help: "a goal" }], load },
  { name: "status", group: "g", summary: "s", args: [{ name: "run", optional: true, help: "a run" }], load },
  { name: "log verify", group: "g", summary: "s", load },
  {
    name: "exec",
    group: "g",
    summary: "s",
    args: [{ name: "run", help: "a run" }],
    options: [{ name: "cwd", value: "dir", help: "h" }],
    passthrough: true,
    load,
  },
  {
    name: "loop",
    group: "g",
    summary: "s",
    options: [
      { name: "mode", value: "m", choices: ["a", "b"], help: "h" },
      { name: "constraint", value: "text", many: true, help: "h" },
    ],
    load,
  },
];

function parse(argv: string[]) {
  const { spec, rest } = findCommand(table, argv);
  return { spec, ...parseCommand(spec, rest) };
}

function failure(argv: string[]) {
  try {
    parse(argv);
  } catch (error) {
    if (error instanceof FailureError) return error.failure;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("the command line's parser", () => {
  it.each([
    [["plan", "--json", "a goal"]],
    [["--json", "plan", "a goal"]],
    [["plan", "a goal", "--json"]],
    [["--repo", "plan", "plan", "--json", "a goal"]],
  ])("takes flags before, between and after words: %j", (argv) => {
    const parsed = parse(argv);
    expect(parsed.spec.name).toBe("plan");
    expect(parsed.words["goal"]).toBe("a goal");
    expect(parsed.flags.on("json")).toBe(true);
  });

  it("finds commands of two words and names the second word when it is missing", () => {
    expect(parse(["log", "verify"]).spec.name).toBe("log verify");
    expect(failure(["log"])).toMatchObject({
      code: "invalid_input",
      remedy: expect.stringContaining("log verify"),
    });
  });

  it("leaves everything after -- to the other program", () => {
    const parsed = parse(["exec", "run_1", "--cwd", "x", "--", "ls", "--json", "-la"]);
    expect(parsed.rest).toEqual(["ls", "--json", "-la"]);
    expect(parsed.flags.on("json")).toBe(false);
    expect(parsed.flags.text("cwd")).toBe("x");
  });

  it.each([
    [["statsu"], 'no command "statsu"', "thehood status"],
    [["status", "--jsn"], "--jsn", "--json"],
    [["plan"], "needs a goal", "--help"],
    [["status", "one", "two"], '"two"', "quotes"],
    [["loop", "--mode", "c"], '"c"', "a, b"],
    [["loop", "--mode"], "--mode", "--help"],
  ])("refuses %j with one message and a remedy", (argv, message, remedy) => {
    const refused = failure(argv);
    expect(refused.code).toBe("invalid_input");
    expect(refused.message).toContain(message);
    expect(refused.message).not.toContain("\n");
    expect(refused.remedy).toContain(remedy);
  });

  it("collects repeated options in order", () => {
    expect(parse(["loop", "--constraint", "x", "--constraint=y"]).flags.texts("constraint")).toEqual([
      "x",
      "y",
    ]);
  });
});

describe("what is derived from the table", () => {
  it("the overview names every command once", () => {
    const text = overview(realTable, createStyle(false));
    for (const spec of realTable)
      expect(text.split("\n").filter((line) => line.startsWith(`  ${spec.name}  `))).toHaveLength(1);
  });

  it("a command's help names its words and options", () => {
    for (const spec of realTable) {
      const text = commandHelp(spec, createStyle(false));
      for (const option of spec.options ?? []) expect(text).toContain(`--${option.name}`);
      for (const argument of spec.args ?? []) expect(text).toContain(argument.name);
    }
  });

  it.each(shells)("completions for %s know every command", (shell) => {
    const script = completionScript(shell, realTable);
    for (const spec of realTable) expect(script).toContain(spec.name.split(" ")[0]);
  });

  it("the bash completions run, and know second words, values of options and words that are choices", () => {
    const script = completionScript("bash", realTable);
    const complete = (...words: string[]) => {
      const said = `thehood() { echo '{"runs":[{"runId":"run_0abc"}]}'; }\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _thehood; echo "\${COMPREPLY[@]}"`;
      return execFileSync("bash", ["-c", `${script}\n${said}`], { encoding: "utf8" })
        .trim()
        .split(" ");
    };
    expect(complete("thehood", "rep")).toEqual(["report"]);
    expect(complete("thehood", "roles", "s")).toEqual(["set"]);
    expect(complete("thehood", "run", "x", "--mode", "res")).toEqual(["research"]);
    expect(complete("thehood", "policy", "set", "auto")).toEqual(["auto_low_risk", "autopilot"]);
    expect(complete("thehood", "approve", "run")).toEqual(["run_0abc"]);
    expect(complete("thehood", "--json", "sta")).toEqual(["status"]);
  });

  it("no two commands have one name, and no option repeats a common one but on purpose", () => {
    expect(new Set(realTable.map((spec) => spec.name)).size).toBe(realTable.length);
    for (const spec of realTable)
      for (const name of ["json", "quiet", "verbose", "help", "repo"])
        expect(spec.options?.some((option) => option.name === name) ?? false).toBe(false);
  });
});
