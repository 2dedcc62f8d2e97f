import { openReads } from "../../../../tests/support/endpoint.ts";
import { afterAll, describe, it } from "vitest";
import { type ApiServer as Server, ApiServer, type Play } from "../../../../tests/support/api-server.ts";
import type { ProviderCall, ProvidersInput } from "../../../core/contract/index.ts";
import {
  type Scene,
  type SceneMaker,
  providerConformance,
  titleOf,
} from "../../../../tests/support/conformance/index.ts";
import { type StubStep, stubAnswer } from "../../stub/index.ts";
import { createEndpoints } from "./endpoints.ts";
import { waitUntil } from "../../../../tests/support/wait-until.ts";

const key = ["sk", "test", "0123456789abcdef"].join("-");
const servers: Server[] = [];
afterAll(async () => {
  for (const server of servers) await server.stop();
});

const quick = { now: () => 0, chance: () => 0, pause: () => Promise.resolve() };

interface Subject {
  readonly id: string;
  readonly path: string;
  readonly model: string;
  readonly settings: (baseUrl: string) => ProvidersInput[string];
}

const subjects: Subject[] = [
  { id: "openai-api", path: "/v1", model: "gpt-5.5", settings: (baseUrl) => ({ baseUrl }) },
  { id: "anthropic-api", path: "", model: "claude-opus-5-5", settings: (baseUrl) => ({ baseUrl }) },
  {
    id: "ollama",
    path: "/v1",
    model: "coder",
    settings: (baseUrl) => ({ kind: "openai-compatible", baseUrl, models: { coder: "qwen3-coder:30b" } }),
  },
];

const diff = [
  "diff --git a/hello.txt b/hello.txt",
  "new file mode 100644",
  "--- /dev/null",
  "+++ b/hello.txt",
  "@@ -0,0 +1 @@",
  "+hello",
].join("\n");

describe.each(subjects)("$id joins the provider conformance suite", ({ id, path, model, settings }) => {
  const provider = (baseUrl: string, variables: Record<string, string>) => {
    const found = createEndpoints({ [id]: settings(baseUrl) }, { variables, pace: quick, openReads }).find(
      (port) => port.id === id,
    );
    if (!found) throw new Error(`no ${id}`);
    return found;
  };
  const variables = { OPENAI_API_KEY: key, ANTHROPIC_API_KEY: key };

  const scene =
    (script: (call: ProviderCall) => Play[]): SceneMaker =>
    async (call) => {
      const server = await ApiServer.start(script(call));
      servers.push(server);
      const made: Scene = {
        provider: provider(`${server.origin}${path}`, variables),
        model,
        asked: () => server.asked.length,
        reached: () => waitUntil(() => server.seen.length > 0, "the server is asked", { every: 5 }),
        async leftRunning() {
          // The other side hears of the end a moment later.
          for (let tries = 0; tries < 100 && (await server.connections()) > 0; tries += 1)
            await new Promise((resolve) => setTimeout(resolve, 10));
          return (await server.connections()) > 0 ? ["an open connection"] : [];
        },
      };
      return made;
    };
  const saying = (step: StubStep) => scene((call) => [{ text: stubAnswer(call, step) }]);
  const then = (first: Play) => scene((call) => [first, { text: stubAnswer(call, {}) }]);
  const always = (step: Play, times = 12) => scene(() => Array.from({ length: times }, () => step));
  const worker = (call: ProviderCall): Play => ({
    text: stubAnswer(
      call,
      call.role === "implementer"
        ? { payload: { status: "changed", markdown: `Done.\n\n\`\`\`diff\n${diff}\n\`\`\`\n` } }
        : {},
    ),
  });

  const cases = providerConformance({
    scenes: {
      answers: scene((call) => [{ calls: [{ name: "repo_read_file", input: { path: "a.txt" } }] }, worker(call)]),
      edits: scene((call) => [
        { calls: [{ name: "write_file", input: { path: "hello.txt", text: "hello\n" } }] },
        worker(call),
      ]),
      refuses: scene(() => [{ refusal: "I cannot help with that." }]),
      garbage: scene(() => [{ text: "{]" }]),
      staleAck: saying({ ack: "stale" }),
      oversize: scene(() => [{ text: "x".repeat(40_000) }]),
      silent: scene(() => [{ hang: true }]),
      stallsMidStream: scene((call) => [{ text: stubAnswer(call, {}), stall: true }]),
      exitsAtOnce: always({ drop: "head" }),
      exitsUnread: always({ unread: true }),
      crashesMidStream: scene((call) => [1, 2, 3].map(() => ({ text: stubAnswer(call, {}), drop: "middle" as const }))),
      busyOnce: then({ status: 429, headers: { "retry-after": "1" } }),
      overloadedOnce: then({ status: 529 }),
      alwaysBusy: always({ status: 429 }),
      loginMissing:
        id === "ollama"
          ? { cannot: "a server on this machine needs no key" }
          : () => ({
              provider:
                createEndpoints({}, { variables: {}, pace: quick }).find((port) => port.id === id) ?? provider("", {}),
              model,
            }),
      absent: () => ({ provider: provider(`http://127.0.0.1:1${path}`, variables), model }),
    },
    typo: { wrote: `${model}x`, meant: model },
    patienceMs: 300,
  });
  for (const one of cases) it.skipIf(one.skip !== undefined)(titleOf(one), () => one.run());
});
