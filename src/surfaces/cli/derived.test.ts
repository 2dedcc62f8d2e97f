// Help and completions of the real program, derived from its operations.
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { completionScript } from "../argv/completion-scripts.ts";
import { completionShells } from "../argv/completion.ts";
import { commandHelp, overview } from "../argv/help.ts";
import { commandsOf, commonOptions, createStyle } from "../argv/index.ts";
import { operations } from "../../operations/index.ts";
import { hoodProgram } from "./program.ts";

const program = hoodProgram({} as never, operations);
const completed = { name: "thehood", common: commonOptions, root: undefined };
const realTable = commandsOf(program).map(({ spec }) => spec);
const shown = realTable.filter(({ nowIn, hidden }) => !nowIn && !hidden);

describe("[B-24] what is derived from the operations", () => {
  it("help fits one screen of 80 columns and 24 lines, with at most 24 commands in five groups", () => {
    const lines = overview(program, realTable, createStyle(false)).trimEnd().split("\n");
    const main = realTable.filter((spec) => spec.main);
    expect(main.length).toBeLessThanOrEqual(24);
    expect(new Set(main.map(({ group }) => group)).size).toBe(5);
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    for (const { name, summary } of main)
      expect(lines.filter((line) => line.includes(`  ${name} `) && line.endsWith(summary))).toHaveLength(1);
  });

  it("help of all commands names each one once, and old names not", () => {
    const lines = overview(program, realTable, createStyle(false), true).split("\n");
    for (const spec of realTable)
      expect(
        lines.filter((line) => line.startsWith(`  ${spec.name}  `)),
        spec.name,
      ).toHaveLength(spec.nowIn || spec.hidden ? 0 : 1);
  });

  it("a command's help names its words and options", () => {
    for (const spec of realTable) {
      const text = commandHelp("thehood", spec, createStyle(false));
      for (const option of spec.options ?? []) expect(text).toContain(`--${option.name}`);
      for (const argument of spec.args ?? []) expect(text).toContain(argument.name);
    }
  });

  it.each(completionShells)("completions for %s know every command", (shell) => {
    const script = completionScript(completed, shell, realTable);
    for (const spec of shown) expect(script).toContain(spec.name.split(" ")[0]);
  });

  it("the bash completions run, and know second words, values of options and words that are choices", () => {
    const script = completionScript(completed, "bash", realTable);
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
    expect(complete("thehood", "--json", "stat")).toEqual(["status", "stats"]);
    expect(complete("thehood", "show", "--ti")).toEqual(["--timeline"]);
    expect(complete("thehood", "show", "x", "--fol")).toEqual(["--follow"]);
    expect(complete("thehood", "t")).toEqual(["top", "tell", "teams", "take"]);
    expect(complete("thehood", "timel")).toEqual(["timeline"]);
    expect(complete("thehood", "timeline", "--js")).toEqual(["--json"]);
  });

  it("no two commands have one name, and no option repeats a common one but on purpose", () => {
    expect(new Set(realTable.map((spec) => spec.name)).size).toBe(realTable.length);
    for (const spec of realTable)
      for (const name of ["json", "quiet", "verbose", "help", "repo"])
        expect(spec.options?.some((option) => option.name === name) ?? false).toBe(false);
  });
});
