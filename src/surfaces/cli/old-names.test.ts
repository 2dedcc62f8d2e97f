// Commands that another command took in: the old name and the new one call the same operation with the same input.
import { describe, expect, it } from "vitest";
import { commandsOf, runProgram } from "../argv/index.ts";
import { operations } from "../../operations/index.ts";
import { hoodProgram, operationsFor } from "./program.ts";

const program = hoodProgram({} as never, operations);
const table = commandsOf(program).map(({ spec }) => spec);

/** What a line has performed, and the JSON that it prints. */
async function call(line: string) {
  let out = "";
  let performed: object | undefined;
  const argv = line.split(" ").filter((word) => word !== "");
  const io = {
    out: (text: string) => void (out += text),
    err: (text: string) => void (out += text),
    bytes: () => undefined,
    stdin: (async function* () {})(),
    color: false,
    terminal: false,
    live: false,
    columns: 80,
  };
  const deps = { io, cwd: () => "/x", version: "1", signal: AbortSignal.timeout(9_000) };
  const code = await runProgram(
    argv,
    {
      ...program,
      operations: await operationsFor(argv),
      renderer: async () => undefined,
      perform: async ({ name }, input) => {
        performed = { name, input: JSON.parse(JSON.stringify(input)) as object };
        return { name, results: [] };
      },
    },
    deps,
  );
  return { code, out, performed };
}

describe("an old name and the option that replaced it", () => {
  it.each([
    ["timeline run_0", "show run_0 --timeline"],
    ["gate run_0", "show run_0 --gate"],
    ["gate", "show --gate"],
    ["changes run_0 abcd --pass 2", "show run_0 abcd --diff --pass 2"],
    ["logs run_0 --from 3", "show run_0 --log --from 3"],
    ["evidence run_0", "show run_0 --evidence"],
    ["artifact run_0 abcd --max-bytes 9", "show run_0 --artifact abcd --max-bytes 9"],
    ["artifact run_0 abcd", "show --artifact=abcd run_0"],
    ["artifact abcd", "show --artifact abcd"],
    ["agent-board run_0 --artifact", "show run_0 --agents --artifact"],
    ["transfer preview run_0", "show run_0 --transfer"],
    ["home --search login --limit 3", "status --everywhere --search login --limit 3"],
    ["approvals --limit 4", "status --waiting --limit 4"],
    ["patch check x.patch --allow-binary", "check patch --here x.patch --allow-binary"],
  ])("%s is %s", async (old, now) => {
    const [before, after] = [await call(`${old} --json`), await call(`${now} --json`)];
    expect(after).toEqual(before);
    expect(before.performed).toMatchObject({ name: table.find(({ name }) => old.startsWith(name))?.name });
    expect(before.code).toBe(0);
  });

  it("every one of them is tried above or has a command with all of its options", () => {
    const taken = table.filter(({ nowIn }) => nowIn).map(({ name }) => name);
    expect(taken.toSorted()).toEqual(
      "agent-board,approvals,artifact,changes,evidence,gate,goal,home,logs,loop,patch check,runs,timeline,transfer preview".split(
        ",",
      ),
    );
    for (const { nowIn, options = [], name } of table.filter((spec) => spec.nowIn?.option === undefined)) {
      if (!nowIn) continue;
      const now = table.find((spec) => spec.name === nowIn.command);
      // --max-steps of loop is its second name for --max-cycles.
      const wanted = options.map((option) => option.name).filter((option) => option !== "max-steps");
      expect(
        now?.options?.map((option) => option.name),
        name,
      ).toEqual(expect.arrayContaining(wanted));
    }
  });

  it.each([
    ["runs --limit 3 --state failed", "runs"],
    ["goal fix", "goal"],
    ["loop run_0 --max-steps 3", "loop"],
  ])("%s keeps working", async (line, name) => {
    expect((await call(`${line} --json`)).performed).toMatchObject({ name });
  });

  it("a part refuses the option of another part by its new name", async () => {
    const { code, out } = await call("show run_0 --gate --log");
    expect(code).toBe(2);
    expect(out).toContain('"thehood show --gate" has no option --log');
  });
});
