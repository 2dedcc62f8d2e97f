// One literal is one thing: an operation that is written here, and nowhere else, is a command, its help, its completions,
// a tool and a part of the reference pages. And nothing that a person decides is within reach of a program alone.
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { cliPage, mcpPage } from "../scripts/reference/pages.ts";
import { FailureError } from "../src/core/contract/index.ts";
import { choice, defineFor, text, withDefault } from "../src/operations/define/index.ts";
import { operations, perform, type Context, type Ports } from "../src/operations/index.ts";
import { ask, oracleOperations, type OracleContext } from "../src/operations/oracle/index.ts";
import { runProgram } from "../src/surfaces/argv/index.ts";
import { hoodProgram } from "../src/surfaces/cli/index.ts";
import { createService } from "../src/surfaces/mcp/index.ts";
import type { RpcCaller } from "../src/surfaces/mcp/wire/session.ts";
import { tempFolder } from "./support/temp-folder.ts";

const greet = defineFor<Context>()({
  name: "greet",
  group: "Try",
  summary: "Greet somebody",
  examples: ["thehood greet Ada --tone warm"],
  effect: "reads",
  input: {
    who: text("a name", { min: 1, max: 20 }),
    tone: withDefault(choice(["plain", "warm"], "how it sounds"), "plain"),
  },
  handle: async ({ who, tone }) => ({ said: tone === "warm" ? `Dear ${who}` : `Hello ${who}` }),
  cli: { args: ["who"] },
  mcp: {
    tool: "thehood_greet",
    title: "Greet",
    description: "Greet somebody.",
    output: { said: "string", warmth: "number|null?" },
  },
});
const all = [...operations, greet];
const ports = { hostMayApprove: async () => false } as unknown as Ports;

async function cli(...argv: string[]) {
  let out = "";
  let err = "";
  const io = {
    out: (said: string) => void (out += said),
    err: (said: string) => void (err += said),
    bytes: () => undefined,
    stdin: (async function* () {})(),
    color: false,
    terminal: false,
    live: false,
    columns: 80,
  };
  const deps = { io, cwd: () => "/", version: "1", signal: AbortSignal.timeout(9_000) };
  const code = await runProgram(argv, hoodProgram(ports, all), deps);
  return { code, out, err };
}

const caller = {
  client: { name: "test", elicits: false },
  signal: AbortSignal.timeout(9_000),
  progress: () => undefined,
} as unknown as RpcCaller;

async function mcp<T>(method: string, params: object = {}): Promise<T> {
  const deps = {
    ports,
    operations: all,
    allTools: true,
    version: "1",
    roots: ["/"],
    fault: () => undefined,
    terminal: String,
  };
  return (await createService(deps).method(method)?.(params as never, caller)) as T;
}

describe("[B-24] one operation, defined once", () => {
  it("is a command: parsed, refused with what was meant, shown as text and as JSON", async () => {
    expect((await cli("greet", "Ada", "--tone", "warm")).out).toBe("said: Dear Ada\n");
    expect(JSON.parse((await cli("greet", "Ada", "--json")).out)).toEqual({
      schemaVersion: 1,
      ok: true,
      said: "Hello Ada",
    });
    const refused = await cli("greet", "Ada", "--tone", "warn");
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("Did you mean warm?");
  });

  it("is in the overview, has its own help, and is completed", async () => {
    expect((await cli("--help", "--all")).out).toMatch(/Try\n {2}greet +Greet somebody/);
    expect((await cli("greet", "--help")).out).toContain("--tone <tone>  how it sounds (plain | warm)");
    expect((await cli("completion", "bash")).out).toContain("greet) words=");
  });

  it("is a tool: listed with its schema and annotations, and called", async () => {
    const { tools } = await mcp<{ tools: { name: string }[] }>("tools/list");
    expect(tools.find(({ name }) => name === "thehood_greet")).toMatchObject({
      title: "Greet",
      inputSchema: { required: ["who"], properties: { tone: { enum: ["plain", "warm"], default: "plain" } } },
      outputSchema: {
        type: "object",
        required: ["said"],
        properties: { said: { type: "string" }, warmth: { anyOf: [{ type: "number" }, { type: "null" }] } },
      },
      annotations: { readOnlyHint: true },
    });
    const called = await mcp<{ content: { text: string }[]; structuredContent: unknown }>("tools/call", {
      name: "thehood_greet",
      arguments: { who: "Ada" },
    });
    expect(JSON.parse(called.content[0]?.text ?? "")).toEqual({ said: "Hello Ada" });
    expect(called.structuredContent).toEqual({ said: "Hello Ada" });
    const wrong = await mcp<{ isError: boolean; content: { text: string }[] }>("tools/call", {
      name: "thehood_greet",
      arguments: { who: "Ada", tone: "warn" },
    });
    expect(wrong.isError).toBe(true);
    expect(wrong.content[0]?.text).toContain("did you mean warm?");
  });

  it("is in both reference pages", () => {
    const program = hoodProgram(ports, all);
    expect(cliPage(program)).toContain("### thehood greet");
    expect(mcpPage(all)).toMatch(/## thehood_greet\n\nGreet somebody\.[^]*\| `who` \| needed; /);
  });

  it("the committed reference pages are those of the operations", () => {
    const script = resolve(import.meta.dirname, "../scripts/reference/write.ts");
    const ran = spawnSync(process.execPath, [script, "--check"], { encoding: "utf8" });
    expect(ran.stderr).toBe("");
    expect(ran.status).toBe(0);
  });

  it("no two operations have one name or one tool, and each says its effect", () => {
    const names = operations.map(({ name }) => name);
    const tools = operations.flatMap((operation) => operation.mcp?.tool ?? []);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(tools).size).toBe(tools.length);
    for (const { effect } of operations) expect(["reads", "moves", "decides"]).toContain(effect);
  });
});

describe("[B-4] a process that an agent or a check started", () => {
  const person = { actor: { kind: "person", surface: "cli" }, ports: { startedByRun: async () => true } };

  it.each(operations.filter((one) => one.effect === "decides").map((one) => [one.name, one]))(
    "cannot %s, although it says that it is a person",
    async (_, operation) => {
      const context = person as unknown as Context;
      const refused = await perform(operation as never, {}, context).catch((error: unknown) => error);
      expect((refused as FailureError).failure).toMatchObject({ code: "permission_denied" });
    },
  );

  const decisions = [
    ["oracle", ask, { approvePath: ["ci.yml"] }],
    ...oracleOperations.map((one) => [`oracle ${one.name}`, one, { approvePath: ["ci.yml"] }] as const),
  ] as const;

  it.each(decisions.filter(([, one]) => one.effect === "decides" || one.decides !== undefined))(
    "cannot call %s with an approval, and neither can a program",
    async (name, operation, input) => {
      const marked = { ...person, program: "oracle" } as unknown as OracleContext;
      const host = { ...marked, actor: { kind: "host", surface: "mcp", name: "x" } } as const;
      for (const context of [marked, host]) {
        const refused = await perform(operation as never, input, context).catch((error: unknown) => error);
        expect((refused as FailureError).failure).toMatchObject({
          code: "permission_denied",
          remedy: expect.stringMatching(new RegExp(`: ${name}$`)) as string,
        });
      }
    },
  );

  it.each(
    operations.flatMap((one) =>
      Object.entries({ approvals: "autopilot", noChecks: true, waive: ["npm test"] })
        .filter(([name]) => name in one.input)
        .map(([name, value]) => [one.name, name, value, one] as const),
    ),
  )("cannot %s with looser rules: %s", async (_name, field, value, operation) => {
    const refused = await perform(operation as never, { [field]: value }, person as unknown as Context).catch(
      (error: unknown) => error,
    );
    expect((refused as FailureError).failure).toMatchObject({ code: "permission_denied" });
  });

  it("finds these decisions of oracle", () => {
    const names = decisions.filter(([, one]) => one.effect === "decides" || one.decides !== undefined);
    expect(names.map(([name]) => name)).toEqual(["oracle", "oracle browser login", "oracle serve", "oracle apply"]);
  });
});

describe("[R-81] a decision", () => {
  const host = { actor: { kind: "host", surface: "mcp", name: "x" } } as unknown as Context;

  it.each(
    operations.filter((one) => one.effect === "decides" && !("mcp" in one && one.mcp)).map((one) => [one.name, one]),
  )("%s is refused to a program before anything is done", async (_, operation) => {
    const refused = await perform(operation as never, {}, host).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(FailureError);
    expect((refused as FailureError).failure.code).toBe("permission_denied");
  });

  it("only approve and reject can be asked for by a program, and they are not offered unless the user allows it", async () => {
    const asked = operations.filter((one) => one.effect === "decides" && "mcp" in one && one.mcp);
    expect(asked.map(({ name }) => name)).toEqual(["approve", "reject"]);
    const { tools } = await mcp<{ tools: { name: string }[] }>("tools/list");
    for (const name of ["thehood_approve", "thehood_reject"])
      expect(tools.map((tool) => tool.name)).not.toContain(name);
  });
});

describe("[B-24] a file that is added", () => {
  it("is all that an operation needs: the build lists it, and the built program has it", () => {
    const top = resolve(import.meta.dirname, "..");
    const copy = tempFolder("one-literal-");
    for (const part of ["src", "scripts", "bin", "vendor", "docs", "tests/support", "package.json", "tsconfig.json"])
      cpSync(resolve(top, part), resolve(copy, part), { recursive: true });
    for (const name of readdirSync(top).filter((one) => one.startsWith("tsconfig.")))
      cpSync(resolve(top, name), resolve(copy, name));
    symlinkSync(resolve(top, "node_modules"), resolve(copy, "node_modules"));
    writeFileSync(
      resolve(copy, "src/operations/read/wave.ts"),
      `import { defineFor } from "../define/index.ts";
import type { Context } from "../context/index.ts";
export const wave = defineFor<Context>()({
  name: "wave",
  group: "Look",
  summary: "Wave a hand",
  effect: "reads",
  input: {},
  handle: async () => ({ hand: "waved" }),
  cli: {},
  mcp: { tool: "thehood_wave", title: "Wave", description: "Wave a hand." },
});
`,
    );
    const node = (...args: string[]) =>
      spawnSync(process.execPath, args, { cwd: copy, encoding: "utf8", env: { ...process.env, HOME: copy } });
    expect(node("scripts/build/make.ts", "--out", "dist")).toMatchObject({ status: 0, stderr: "" });
    expect(node("bin/thehood.js", "wave", "--json").stdout).toContain('"hand":"waved"');
    expect(node("bin/thehood.js", "--help", "--all").stdout).toMatch(/wave +Wave a hand/);
    expect(node("scripts/reference/write.ts").status).toBe(0);
    for (const page of ["cli.md", "mcp.md"])
      expect(readFileSync(resolve(copy, "docs/reference", page), "utf8")).toContain("Wave a hand");
  });
});
