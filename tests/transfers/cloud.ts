// Test only: models elsewhere, played by a server on loopback.
import { ackField } from "../../src/core/contract/index.ts";
import { type Directive, models } from "../cli/endpoints-scene.ts";
import type { Seen, Step } from "../support/api-server.ts";

/** The server is reached as the proxy of an address that is not this machine. */
export const cloud = { kind: "openai-compatible", baseUrl: "http://models.example/v1", models };

interface Turn {
  readonly role: string;
  readonly content: string;
}

export const turnsIn = ({ body }: Seen): Turn[] => body["messages"] as Turn[];
export const messageIn = (seen: Seen): string => turnsIn(seen).find(({ role }) => role === "user")?.content ?? "";

const payloads: Readonly<Record<string, object>> = {
  orchestrator: { action: "delegate", reason: "small", delegateTo: "implementer" },
  planner: { action: "complete", reason: "done" },
  implementer: {
    status: "changed",
    changedFiles: ["src/add.js"],
    markdown: `\`\`\`diff\ndiff --git a/src/add.js b/src/add.js\n--- a/src/add.js\n+++ b/src/add.js\n@@ -1 +1 @@\n-export const add = (a, b) => a - b;\n+export const add = (a, b) => a + b;\n\`\`\``,
  },
  qa: { verdict: "pass", summary: "fine" },
  verifier: { verdict: "approve", summary: "it adds" },
  critic: { verdict: "acceptable", summary: "fine" },
};
const reconciled = { status: "complete" };

/** Answers at once and reads nothing, so that each request is one message. */
export const brain = {
  play(seen: Seen): Step {
    const { role, outputContract, directiveAck, variables } = JSON.parse(messageIn(seen)) as Directive;
    const payload = variables.context.phase === "reconcile" ? reconciled : payloads[role];
    const data = { [outputContract.key]: { ...payload, [ackField]: directiveAck.marker } };
    return { text: JSON.stringify({ status: "ok", summary: `${role} has answered`, data }) };
  },
};
