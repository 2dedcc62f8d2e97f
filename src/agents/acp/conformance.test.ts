import { join } from "node:path";
import { describe, it } from "vitest";
import type { ProviderCall } from "../../core/contract/index.ts";
import { providerConformance, titleOf } from "../../../tests/support/conformance/index.ts";
import { type StubStep, stubAnswer } from "../stub/index.ts";
import { type Script, acpScene } from "../../../tests/support/acp/scene.ts";

const { acp } = acpScene();

describe("an ACP agent joins the provider conformance suite", () => {
  const scene = (script: Script) => () => ({ provider: acp(script), model: "default" });
  const answering =
    (before: (call: ProviderCall) => Record<string, unknown>[], step: StubStep = {}) =>
    (call: ProviderCall) =>
      scene({ steps: [...before(call), { text: stubAnswer(call, step) }] })();
  const noServer = { cannot: "the stand-in asks no server" };
  const cases = providerConformance({
    scenes: {
      answers: answering(() => []),
      edits: answering(({ workspace: { dir } }) => [{ write: [join(dir ?? "", "hello.txt"), "hello\n"] }]),
      refuses: scene({ steps: [{ text: "No." }], result: { stopReason: "refusal" } }),
      garbage: scene({ steps: [{ raw: "][\n{}\n\u0000\n7\n" }, { text: "{]" }] }),
      staleAck: answering(() => [], { ack: "stale" }),
      oversize: scene({ steps: [{ text: "x".repeat(9_000) }, { text: "y".repeat(9_000) }] }),
      silent: scene({ steps: [{ child: "600" }, { wait: 1 }] }),
      stallsMidStream: scene({ steps: [{ text: '{"status":' }, { wait: 1 }] }),
      exitsAtOnce: scene({ exitAtOnce: 3 }),
      exitsUnread: scene({ exitAtOnce: 0 }),
      crashesMidStream: scene({ steps: [{ text: '{"status":' }, { kill: "SIGKILL" }] }),
      busyOnce: noServer,
      overloadedOnce: noServer,
      alwaysBusy: noServer,
      loginMissing: scene({ locked: true }),
      absent: () => ({ provider: acp({}, { program: "no-such-agent" }), model: "default" }),
    },
    typo: { wrote: "defualt", meant: "default" },
    patienceMs: 1_500,
  });
  for (const one of cases) it.skipIf(one.skip !== undefined)(titleOf(one), () => one.run());
});
