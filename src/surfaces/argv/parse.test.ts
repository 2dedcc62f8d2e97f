import { describe, expect, it } from "vitest";
import { FailureError } from "../../core/contract/index.ts";
import { findCommand, parseCommand } from "./parse.ts";
import type { CommandSpec } from "./spec.ts";

const table: CommandSpec[] = [
  { name: "plan", group: "g", summary: "s", args: [{ name: "goal", help: "a goal" }] },
  { name: "status", group: "g", summary: "s", args: [{ name: "run", optional: true, help: "a run" }] },
  { name: "log verify", group: "g", summary: "s" },
  {
    name: "exec",
    group: "g",
    summary: "s",
    args: [{ name: "run", help: "a run" }],
    options: [{ name: "cwd", value: "dir", help: "h" }],
    passthrough: true,
  },
  { name: "delete", group: "g", summary: "s", args: [{ name: "ids", rest: true, help: "runs" }] },
  {
    name: "loop",
    group: "g",
    summary: "s",
    options: [
      { name: "mode", value: "m", choices: ["a", "b"], help: "h" },
      { name: "constraint", value: "text", many: true, help: "h" },
    ],
  },
];

function parse(argv: string[]) {
  const { spec, rest } = findCommand("thehood", table, argv);
  return { spec, ...parseCommand("thehood", spec, rest) };
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
  it("takes the value of an option for no second word of the command", () => {
    const serve: CommandSpec = {
      name: "serve",
      group: "g",
      summary: "s",
      options: [{ name: "port", value: "n", help: "h" }],
    };
    const family = [serve, { name: "serve on", group: "g", summary: "s" }];
    expect(findCommand("thehood", family, ["serve", "--port", "0"]).spec).toBe(serve);
    expect(() => findCommand("thehood", family, ["serve", "om"])).toThrow(/no command/);
  });

  it.each([
    [["plan", "--json", "a goal"]],
    [["--json", "plan", "a goal"]],
    [["plan", "a goal", "--json"]],
    [["--repo", "plan", "plan", "--json", "a goal"]],
    [["-C", "plan", "plan", "--json", "a goal"]],
  ])("takes flags before, between and after words: %j", (argv) => {
    const parsed = parse(argv);
    expect(parsed.spec.name).toBe("plan");
    expect(parsed.words["goal"]).toBe("a goal");
    expect(parsed.flags.on("json")).toBe(true);
  });

  it("guesses the command that was meant, also with two letters swapped and in the second word", () => {
    expect(failure(["paln", "a goal"]).remedy).toBe('Did you mean "thehood plan"?');
    expect(failure(["log", "verfiy"])).toMatchObject({
      message: 'There is no command "log verfiy".',
      remedy: 'Did you mean "thehood log verify"?',
    });
    expect(failure(["log", "xyz"]).remedy).toBe("Try one of: log verify");
    expect(() => findCommand("oracle", table, ["hello", "world"], 0, true)).toThrow(
      expect.objectContaining({
        failure: expect.objectContaining({
          remedy: expect.stringMatching(/in quotes: oracle "…".*Run: oracle --help$/),
        }),
      }),
    );
    const decisions = ["abort", "access", "top"].map((name) => ({ name, group: "g", summary: "s" }));
    expect(() => findCommand("thehood", [...table, ...decisions], ["stop"])).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ remedy: 'Did you mean "thehood abort"?' }) }),
    );
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
    [["status", "one", "two"], '"two"', "quotes"],
    [["loop", "--mode"], "--mode", "--help"],
  ])("refuses %j with one message and a remedy", (argv, message, remedy) => {
    const refused = failure(argv);
    expect(refused.code).toBe("invalid_input");
    expect(refused.message).toContain(message);
    expect(refused.message).not.toContain("\n");
    expect(refused.remedy).toContain(remedy);
  });

  it("collects repeated options in order", () => {
    expect(parse(["loop", "--constraint", "x", "--constraint=y"]).flags.texts("constraint")).toEqual(["x", "y"]);
  });

  it("takes more words than fit on a stack", () => {
    const many = Array.from({ length: 130_000 }, (_, at) => String(at));
    expect(parse(["delete", ...many]).rest).toHaveLength(many.length);
  });
});
