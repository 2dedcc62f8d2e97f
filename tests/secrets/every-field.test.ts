// A secret in any text field of any operation: the handler gets it replaced, or never gets it.
import { describe, expect, it } from "vitest";
import { FailureError } from "../../src/core/contract/index.ts";
import { redact } from "../../src/core/secrets/index.ts";
import type { AnyOperation, Field } from "../../src/operations/define/index.ts";
import { operations, perform, type Context } from "../../src/operations/index.ts";
import { canary, passPhrase } from "./canary.ts";

/** Their content is a secret by its nature, or plays the part of a model. */
const taken = ["web webhook", "gateway answer values", "store copy from", "store copy to"];
const isTaken = (path: string): boolean => taken.includes(path) || path.endsWith(" stubScript");

/** Every way to put a text into a field. */
function filled(field: Field, text: string): unknown[] {
  if (field.kind === "text") return [text];
  if (field.kind === "list") return filled(field.of, text).map((value) => [value]);
  if (field.kind === "record") return filled(field.of, text).map((value) => ({ [field.keys[0] ?? "key"]: value }));
  if (field.kind === "anything") return [text, { inside: [text] }];
  if (field.kind !== "shape") return [];
  return Object.entries(field.fields).flatMap(([name, inner]) =>
    filled(inner, text).map((value) => ({ [name]: value })),
  );
}

const calls = (operations as readonly AnyOperation[]).flatMap((operation) =>
  Object.entries(operation.input).flatMap(([name, field]) =>
    filled(field, `use ${canary} here`).map((value) => [`${operation.name} ${name}`, operation, { [name]: value }]),
  ),
) as [string, AnyOperation, object][];

async function handed(operation: AnyOperation, input: object, more: object = {}) {
  const seen: { input?: object; lines: string[] } = { lines: [] };
  const context = {
    actor: { kind: "person", surface: "cli" },
    ports: {
      startedByRun: async () => false,
      judges: {
        secrets: async (text: string) => {
          const { text: redacted, matches } = redact(text);
          return { redacted, matches };
        },
      },
    },
    tell: (line: string) => void seen.lines.push(line),
    ...more,
  } as unknown as Context;
  const handle = async (given: object) => void (seen.input = given);
  const failed = await perform({ ...operation, handle } as never, input, context).catch((error: unknown) => error);
  return { ...seen, failure: failed instanceof FailureError ? failed.failure : undefined };
}

describe("[B-28] [S-2] a secret in a text that an operation is given", () => {
  it("there are many such fields", () => expect(calls.length).toBeGreaterThan(120));

  it.each(calls.filter(([path]) => !isTaken(path)))(
    "%s: the operation does not get it",
    async (_, operation, input) => {
      const { input: given, failure, lines } = await handed(operation, input);
      expect(JSON.stringify([given, failure, lines])).not.toContain(canary);
      const told = [...lines, failure?.message ?? ""].join(" ");
      expect(told).toMatch(/secret.*\(github_/);
      expect(given === undefined).toBe(failure !== undefined);
    },
  );

  it.each(calls.filter(([path]) => isTaken(path)))(
    "%s: the operation gets it as it is",
    async (_, operation, input) => {
      expect(await handed(operation, input)).toMatchObject({ input, lines: [] });
    },
  );

  const named = (name: string): AnyOperation =>
    (operations as readonly AnyOperation[]).find((one) => one.name === name) ?? expect.fail(`no operation ${name}`);

  it.each([
    ["run", "goal"],
    ["run", "constraints"],
    ["run", "acceptanceCriteria"],
    ["revise", "message"],
    ["approve", "message"],
    ["abort", "reason"],
    ["summon", "brief"],
    ["gateway new", "message"],
  ])("%s %s: the text goes on without it", async (name, field) => {
    const kind = named(name).input[field]?.kind;
    const text = `use ${canary} here`;
    const { input } = await handed(named(name), { [field]: kind === "list" ? [text] : text });
    expect(JSON.stringify(input)).toContain("use ***REDACTED*** here");
  });

  it.each([
    [["curl", "-H", `Authorization: Bearer ${canary}`]],
    [["deploy", "--password", passPhrase]],
    [["env", `GITHUB_TOKEN=${canary}`, "make"]],
  ])("exec is refused with %j: another argument would be another command", async (argv) => {
    const { input, failure } = await handed(named("exec"), { runId: "run_1", argv });
    expect(input).toBeUndefined();
    expect(failure).toMatchObject({
      code: "invalid_input",
      remedy: expect.stringContaining("--keep-secrets") as string,
    });
  });

  it("a person keeps it with --keep-secrets, and the handler is not bothered with that flag", async () => {
    const goal = `use ${canary} here`;
    expect(await handed(named("run"), { goal, keepSecrets: true })).toMatchObject({ input: { goal }, lines: [] });
    expect((await handed(named("run"), { goal, keepSecrets: true })).input).not.toHaveProperty("keepSecrets");
  });

  it("a program, and a process that a run started, cannot keep it", async () => {
    const input = { goal: `use ${canary} here`, keepSecrets: true };
    const host = { actor: { kind: "host", surface: "mcp", name: "x" } };
    const inside = { ports: { startedByRun: async () => true } };
    for (const more of [host, inside]) {
      const { input: given, failure } = await handed(named("run"), input, more);
      expect(given).toBeUndefined();
      expect(failure).toMatchObject({ code: "permission_denied" });
    }
  });

  it.each([
    ["status", { runId: "run_0mwhc2v9t4k7x1p5" }],
    ["run", { goal: "fix the parser", constraints: ["keep the name exported"], allowedPaths: ["src/**"] }],
    ["approve", { message: "apply isolated patch", sha256: "0".repeat(32) + "f".repeat(32) }],
    ["exec", { runId: "run_1", argv: ["npm", "run", "test:unit", "--", "--token-file", "/run/secrets/token"] }],
    ["changes", { ref: `sha256:${"a1b2c3d4".repeat(8)}` }],
  ])("%s without one is handed on as it is", async (name, input) => {
    expect(await handed(named(name), input)).toMatchObject({ input, lines: [] });
  });
});
