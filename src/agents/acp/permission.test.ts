import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createCommandRunner } from "../../platform/sandbox/index.ts";
import { acpScene, agentFile, confined } from "../../../tests/support/acp/scene.ts";
import { createAcp } from "./provider.ts";

const { home, variables, dir, callOf, ask } = acpScene();

describe("the answers to an ACP agent that asks", () => {
  const write = () => [join(dir(), "made.txt"), "made"];
  const chosen = (noted: readonly string[]) =>
    noted.flatMap((line) => /^permission .*"optionId":"o-(\w+)"/.exec(line)?.[1] ?? []);

  it.skipIf(!confined)(
    "a worker may edit in its worktree and run commands, each time once (needs bubblewrap)",
    async () => {
      const steps = [
        {
          permission: {
            toolCallId: "1",
            kind: "edit",
            locations: [{ path: join(dir(), "made.txt") }],
            write: write(),
          },
        },
        { permission: { toolCallId: "2", kind: "execute", title: "npm test" } },
        { text: "done" },
      ];
      const answer = await ask({ steps }, callOf("implementer"));
      expect(answer).toMatchObject({ outcome: "answered", text: "done" });
      expect(chosen(answer.noted)).toEqual(["allow_once", "allow_once"]);
      expect(readFileSync(join(dir(), "made.txt"), "utf8")).toBe("made");
    },
  );

  it("a worker may not edit elsewhere, fetch, or change its own permissions, and the record says what was refused", async () => {
    const steps = [
      {
        permission: {
          toolCallId: "1",
          kind: "edit",
          title: "passwd",
          locations: [{ path: "/nowhere/canary" }],
        },
      },
      {
        permission: {
          toolCallId: "2",
          kind: "delete",
          title: "up",
          locations: [{ path: join(dir(), "../x") }],
        },
      },
      { permission: { toolCallId: "3", kind: "fetch", title: "site" } },
      { permission: { toolCallId: "4", kind: "switch_mode", title: "yolo" } },
      { text: "done" },
    ];
    const answer = await ask({ steps }, callOf("implementer"));
    expect(chosen(answer.noted)).toEqual(Array.from({ length: 4 }, () => "reject_once"));
    expect(answer.invocation?.denials).toEqual(["edit: passwd", "delete: up", "fetch: site", "switch_mode: yolo"]);
  });

  it("without our walls a worker may edit in its worktree and run nothing", async () => {
    const locations = [{ path: join(dir(), "made.txt") }];
    const steps = ["edit", "execute", "other"].map((kind) => ({
      permission: { toolCallId: kind, kind, locations },
    }));
    const provider = createAcp("my-agent", {
      runner: createCommandRunner({ environment: variables, sandbox: "off" }),
      home,
      variables,
      settings: { program: process.execPath, args: [agentFile, JSON.stringify({ steps })] },
    });
    const answer = await (await provider.send(callOf("implementer"), new AbortController().signal)).answer;
    const noted = Buffer.from(answer.invocation?.stderr ?? [])
      .toString()
      .split("\n");
    expect(chosen(noted)).toEqual(["allow_once", "reject_once", "reject_once"]);
  });

  it("a change is allowed only where every place that was named for it is in the worktree; none named, nothing allowed", async () => {
    const inside = join(dir(), "made.txt");
    const outside = "/nowhere/canary";
    const begin = (toolCallId: string, more: object) => ({
      update: { sessionUpdate: "tool_call", toolCallId, kind: "edit", title: toolCallId, ...more },
    });
    const asked = (toolCallId: string, more: object = {}) => ({ permission: { toolCallId, ...more } });
    const at = (path: string) => ({ locations: [{ path }] });
    const shows = (path: string) => ({ content: [{ type: "diff", path, oldText: "", newText: "x" }] });
    const steps: Record<string, unknown>[] = [
      // As claude-code-acp asks: the places stand in the update before the question.
      begin("before, inside", at(inside)),
      asked("before, inside"),
      begin("shown, inside", shows(inside)),
      asked("shown, inside"),
      begin("before, outside", at(outside)),
      asked("before, outside"),
      begin("shown, outside", shows(outside)),
      asked("shown, outside"),
      begin("two words", at(outside)),
      asked("two words", at(inside)),
      begin("later outside", at(inside)),
      begin("later outside", at(outside)),
      asked("later outside"),
      begin("nothing", {}),
      asked("nothing"),
      begin("an empty list", { locations: [] }),
      asked("an empty list", { locations: [] }),
      begin("no list", { locations: "everywhere" }),
      asked("no list", at(inside)),
      asked("git", { kind: "edit", ...at(join(dir(), ".git")) }),
      ...["edit", "delete", "move"].map((kind) => asked(kind, { kind })),
      { text: "done" },
    ];
    const { noted } = await ask({ steps }, callOf("implementer"));
    expect(chosen(noted)).toEqual(["allow_once", "allow_once", ...Array.from({ length: 11 }, () => "reject_once")]);
  });

  it("[R-2] a reader may read and search, and nothing that writes, runs or does not say what it is", async () => {
    const kinds = ["read", "search", "think", "edit", "delete", "move", "execute", "other", "new_kind", undefined];
    const steps = [
      ...kinds.map((kind, at) => ({
        permission: { toolCallId: `${at}`, ...(kind ? { kind } : {}), write: write() },
      })),
      { text: "done" },
    ];
    const answer = await ask({ steps }, callOf("verifier"));
    const answers = chosen(answer.noted);
    expect(answers.slice(0, 3)).toEqual(["allow_once", "allow_once", "allow_once"]);
    expect(answers.slice(3)).toEqual(Array.from({ length: 7 }, () => "reject_once"));
    expect(readdirSync(dir())).toEqual([]);
  });

  it("a kind that was said earlier counts when the question leaves it out", async () => {
    const steps = [
      { update: { sessionUpdate: "tool_call", toolCallId: "t", kind: "edit", title: "Edit" } },
      { permission: { toolCallId: "t", title: "Edit" } },
      { update: { sessionUpdate: "tool_call", toolCallId: "r", kind: "read", title: "Read" } },
      { permission: { toolCallId: "r", title: "Read" } },
      { text: "done" },
    ];
    expect(chosen((await ask({ steps }, callOf("verifier"))).noted)).toEqual(["reject_once", "allow_once"]);
  });

  it("without a fitting option the question is cancelled, and a question without sense too", async () => {
    const offered = [{ optionId: "o-allow", name: "yes", kind: "allow_always" }];
    const steps = [
      { permission: { toolCallId: "1", kind: "edit", offered, write: write() } },
      { call: ["session/request_permission", { options: "none" }] },
      { text: "done" },
    ];
    const { noted } = await ask({ steps }, callOf("verifier"));
    const cancelled = JSON.stringify({ result: { outcome: { outcome: "cancelled" } } });
    expect(noted).toContain(`permission ${cancelled}`);
    expect(noted).toContain(`session/request_permission ${cancelled}`);
    expect(readdirSync(dir())).toEqual([]);
  });

  it("files and terminals of ours are neither offered nor given", async () => {
    const steps = [
      { call: ["fs/write_text_file", { sessionId: "s1", path: join(dir(), "x"), content: "x" }] },
      { call: ["fs/read_text_file", { sessionId: "s1", path: "/nowhere/canary" }] },
      { call: ["terminal/create", { sessionId: "s1", command: "id" }] },
      { text: "done" },
    ];
    const { noted } = await ask({ steps }, callOf("implementer"));
    expect(noted.filter((line) => line.includes("-32601"))).toHaveLength(3);
    expect(noted[0]).toContain('"fs":{"readTextFile":false,"writeTextFile":false},"terminal":false');
    expect(readdirSync(dir())).toEqual([]);
  });
});
