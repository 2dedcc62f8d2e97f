// Every documented command line of the public preview: it works under its new name, or the answer names what does it here.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fail } from "../../../core/contract/index.ts";
import { operations } from "../../../operations/index.ts";
import { commandsOf, runProgram } from "../../argv/index.ts";
import { hoodProgram, operationsFor } from "../program.ts";
import { formerCommands, formerOptions } from "./table.ts";
import { translateLine } from "./translate.ts";

const program = hoodProgram({} as never, operations);
const table = commandsOf(program).map(({ spec }) => spec);

/** The words of a line; quotes keep a text together. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) => double ?? single ?? plain ?? "");

/** The results here are made up, so that no exit code can be read from them. */
const withoutExit = (operation: (typeof program.operations)[number]): (typeof program.operations)[number] => {
  const { exit: _, ...cli } = operation.cli ?? {};
  return operation.cli ? { ...operation, cli } : operation;
};

interface Called {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly performed: { name: string; input: Record<string, unknown> }[];
}

async function call(argv: readonly string[]): Promise<Called> {
  let [out, err] = ["", ""];
  const performed: Called["performed"] = [];
  const io = {
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
    bytes: () => undefined,
    stdin: (async function* () {})(),
    color: false,
    terminal: false,
    live: false,
    columns: 80,
  };
  const code = await runProgram(
    argv,
    {
      ...program,
      operations: (await operationsFor(argv)).map(withoutExit),
      former: async () => ({ translateLine, operations: operations.map(withoutExit) }),
      renderer: async () => undefined,
      perform: async ({ name }, input) => {
        performed.push({ name, input: JSON.parse(JSON.stringify(input)) as Record<string, unknown> });
        // As the real one answers to a key that no configuration has.
        if (name === "config set" && !String((input as { key: unknown }).key).includes("."))
          fail("invalid_config", "cannot be set like this", { remedy: "See what is set: thehood config" });
        return { name, results: [] };
      },
    },
    { io, cwd: () => "/x", version: "1", signal: AbortSignal.timeout(9_000) },
  );
  return { code, out, err, performed };
}

/** The lines that perform an operation: the line, and the operation with a part of its input. */
const working: [line: string, name: string, input?: object][] = [
  ["init", "init"],
  ["config show", "config"],
  ["models", "models"],
  ["providers", "models"],
  ["doctor", "doctor"],
  ["roster", "roles"],
  ["roster --repo . --json", "roles"],
  ["agent-board", "agent-board"],
  ["agent-board --artifact --json", "agent-board", { includeArtifact: true }],
  ["agent-board run_0", "agent-board", { runId: "run_0" }],
  ["teams", "teams"],
  ["teams apply pro-orchestrator", "teams apply", { team: "pro-orchestrator" }],
  ["teams apply claude-second-judge", "teams apply"],
  ["teams apply spark-plus-sonnet", "teams apply"],
  ["teams apply claude-builder", "teams apply"],
  ["teams apply pro-claude-high-assurance", "teams apply"],
  ["teams apply codex-default", "teams apply"],
  ["roles", "roles"],
  ["roles set orchestrator codex-cli:default", "roles set"],
  ["roles set orchestrator chatgpt-web:chatgpt-pro", "roles set", { agent: "chatgpt-web:chatgpt-pro" }],
  ["roles set critic claude-code:fable", "roles set"],
  ['recommend-loop "Fix flaky checkout tests" --repo . --max-iterations 5', "recommend-loop", { maxIterations: 5 }],
  [
    'recommend-loop "Prepare" --repo . --constraint c --acceptance "README matches" --acceptance=two --validation "npm test" --allowed-path README.md --forbidden-change "no logs"',
    "recommend-loop",
    {
      constraints: ["c"],
      acceptanceCriteria: ["README matches", "two"],
      validationCommands: ["npm test"],
      allowedPaths: ["README.md"],
      forbiddenChanges: ["no logs"],
    },
  ],
  ['goal "Prepare" --repo . --max-iterations 5 --max-cycles 3', "goal", { maxIterations: 5, maxCycles: 3 }],
  ['run "Implement" --repo .', "run", { noLoop: false }],
  ['run "Implement" --repo . --loop', "run", { noLoop: false, goal: "Implement" }],
  [
    'run --loop "Implement" --mode plan --qa codex-cli:spark',
    "run",
    { mode: "plan", roles: { qa: "codex-cli:spark" } },
  ],
  ['plan "Design" --repo .', "plan"],
  ['plan "Design" --repo . --loop', "plan", { goal: "Design" }],
  ["status", "status"],
  ["status run_0", "status"],
  ["logs run_0", "logs"],
  ["artifact run_0 abcd --max-bytes 300", "artifact"],
  ["evidence run_0", "evidence"],
  ["exec run_0 --cwd . --allow-risky -- npm run build --loop", "exec", { argv: ["npm", "run", "build", "--loop"] }],
  ["diff run_0", "diff"],
  ["approve run_0", "approve"],
  ['approve run_0 --reason "apply isolated patch"', "approve", { runId: "run_0", message: "apply isolated patch" }],
  ["reject run_0 --reason=no", "reject", { message: "no" }],
  ['revise run_0 --reason "keep the name"', "revise", { message: "keep the name" }],
  ["approvals policy", "policy"],
  ["approvals policy show", "policy"],
  ["continue run_0", "continue"],
  ["loop run_0 --max-cycles 2 --max-steps 3", "loop", { maxCycles: 2 }],
  ["reconcile run_0 --role planner", "reconcile"],
  [
    'summon run_0 --role qa --agent codex-cli:spark --brief "missed?" --kind qa --persona p --constraint c --evidence e',
    "summon",
    { role: "qa" },
  ],
  [
    `fanout run_0 --items-json '[{"role":"qa","agent":"stub:qa","brief":"missed"}]'`,
    "fanout",
    { items: [{ role: "qa", agent: "stub:qa", brief: "missed" }] },
  ],
  ["abort run_0 --reason stop", "abort"],
  ["transfer preview run_0", "transfer preview"],
  ["mcp", "mcp"],
  ["mcp config", "mcp config"],
  ["browser status", "browser status"],
  ["browser stop", "browser stop"],
  ["ui approvals", "approvals"],
  ["ui approvals --repo .", "approvals"],
  ["ui settings crew", "roles"],
  ["ui settings providers", "models"],
  ["ui settings safety", "policy"],
  ["ui settings browser", "browser status"],
];

/** The lines that are answered: the line, and the commands that the answer names. */
const answered: readonly (readonly [string, ...string[]])[] = [
  ["setup", "thehood doctor", "thehood mcp config"],
  ["config edit", "thehood config set"],
  ["config set max-iterations 8", "thehood config set policy.budgets.maxIterations 8"],
  ["config set fanout-max-items 4", "thehood config set policy.fanoutMaxItems 4"],
  ["config set chatgpt-pro-route chatgpt-web", "thehood roles set orchestrator chatgpt-web:chatgpt-pro"],
  ["pro-route show", "thehood access"],
  ["pro-route set chrome", "thehood access"],
  ["goal x --max-steps 2", "--max-cycles 2"],
  ["diff run_0 --max-bytes 9", "--max-bytes 9", "thehood show"],
  ["approvals policy set mode autopilot", "thehood policy set autopilot", "--approvals autopilot"],
  ["approvals policy set mode auto-low-risk", "thehood policy set auto_low_risk"],
  [
    "approvals policy set external-transfers auto-low-risk",
    "thehood config set policy.externalTransfers.mode auto_low_risk",
  ],
  ["approvals policy set", "thehood policy set"],
  ["fanout run_0 --items-json [] --max-items 4", "thehood config set policy.fanoutMaxItems 4"],
  ["mcp config --chatgpt-web", "thehood mcp config", "thehood browser login"],
  ["mcp config --chatgpt-atlas --cdp-url http://127.0.0.1:9222", "thehood mcp config"],
  ["mcp tunnel --tunnel-id tunnel_0 --profile p", "thehood mcp --http"],
  ["browser start", "thehood browser login"],
  ["browser start --port 9222 --profile a --profile-path b --chrome-path c", "thehood browser login"],
  ["browser status --cdp-url http://127.0.0.1:9222", "thehood browser login"],
  ["browser stop --port 9222", "thehood browser login"],
  ["ui", "thehood status --everywhere"],
  ["ui --repo . --json", "thehood status --everywhere"],
  ["ui approvals --repo . --approve run_0", "thehood approve run_0"],
  ["ui approvals --reject=run_0", "thehood reject run_0"],
  ["ui approvals --revise run_0", "thehood revise run_0"],
  ["ui settings", "thehood config --origin"],
  ["ui settings overview", "thehood config --origin"],
  ["ui settings budgets", "thehood config get policy.budgets"],
  ["ui settings commands", "thehood --help --all"],
  ["ui settings all", "thehood config --origin"],
];

describe("a command line of the public preview", () => {
  it.each(working)("%s performs %s", async (...[line, name, input = {}]) => {
    const { code, performed, err } = await call(wordsOf(line));
    expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining("There is no command") as string });
    expect(performed).toMatchObject([{ name, input }]);
  });

  it.each(answered)("%s is answered with %s", async (line, ...commands) => {
    const { code, out, err, performed } = await call(wordsOf(line));
    expect(code).toBe(2);
    for (const command of commands) expect(out + err).toContain(command);
    expect(out + err).toContain("docs/guides/coming-from.md");
    expect(performed.every(({ name }) => name === "config set")).toBe(true);
  });

  it("is tried above for every entry of the tables", () => {
    const lines = [...working, ...answered].map(([line]) => line);
    for (const name of Object.keys(formerCommands))
      expect(
        lines.some((line) => line === name || line.startsWith(`${name} `)),
        name,
      ).toBe(true);
    for (const [command, options] of Object.entries(formerOptions))
      for (const option of Object.keys(options))
        expect(
          lines.some((line) => line.split(" ")[0] === command.split(" ")[0] && line.includes(`--${option}`)),
          `${command} --${option}`,
        ).toBe(true);
  });

  it("is on the page for those who switch", () => {
    const page = readFileSync(new URL("../../../../docs/guides/coming-from.md", import.meta.url), "utf8");
    for (const name of Object.keys(formerCommands)) expect(page).toContain(name);
    for (const option of Object.values(formerOptions).flatMap(Object.keys)) expect(page).toContain(`--${option}`);
  });

  it("runs twice in no case: what is renamed is unknown here, so that the first try fails before it does anything", () => {
    const renamed = Object.entries(formerCommands).flatMap(([name, former]) => ("as" in former ? [name] : []));
    expect(table.filter(({ name }) => renamed.includes(name))).toEqual([]);
    for (const [name, options] of Object.entries(formerOptions)) {
      const known = table.find((spec) => spec.name === name)?.options?.map((option) => option.name) ?? [];
      for (const option of Object.keys(options)) expect(known, name).not.toContain(option);
    }
  });

  it("says once, on stderr, what the new name is, and nothing with --quiet", async () => {
    expect((await call(["roster", "--json"])).err).toBe("thehood roster is now thehood roles\n");
    expect((await call(["roster", "--quiet"])).err).toBe("");
    expect((await call(["roster", "--help"])).out).toContain("thehood roles");
  });

  it("is one JSON document with --json, also when it is answered", async () => {
    const { out, err } = await call(["ui", "--json"]);
    expect(JSON.parse(out)).toMatchObject({ ok: false, error: { code: "invalid_input" } });
    expect(err).toBe("");
  });

  it("is no line of the preview when only a value or a text looks like one", async () => {
    expect(translateLine(["run", "x", "--constraint", "y"])).toBeUndefined();
    expect(translateLine(["exec", "run_0", "--", "ui", "--loop"])).toBeUndefined();
    expect(translateLine(["constructor"])).toBeUndefined();
    expect(translateLine(["run", "x", "--constructor"])).toBeUndefined();
    const { code, out, err } = await call(["statuss"]);
    expect({ code, text: out + err }).toMatchObject({
      code: 2,
      text: expect.stringContaining("thehood status") as string,
    });
  });
});
