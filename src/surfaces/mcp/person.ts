// The person at the client, reached by elicitation: a form with exactly what the gate shows.
import { recordOf } from "../../core/contract/index.ts";
import type { Person, GateQuestion, Spoken } from "../../operations/index.ts";
import type { RpcCaller } from "./wire/session.ts";

const patience = 10 * 60_000;

function form({ title, brief, text, sha256, answers, phrase }: GateQuestion) {
  return {
    mode: "form",
    message: [title, brief, brief && "Everything that an answer covers:", text, `sha256 of the gate's text: ${sha256}`]
      .filter(Boolean)
      .join("\n\n"),
    requestedSchema: {
      type: "object",
      properties: {
        answer: { type: "string", title: "Your decision", enum: answers },
        message: {
          type: "string",
          title: "Your words",
          description: phrase === null ? "Kept in the record." : `To pass this gate, type exactly: ${phrase}`,
          maxLength: 4_000,
        },
      },
      required: phrase === null ? ["answer"] : ["answer", "message"],
    },
  };
}

function spoken(reply: unknown): Spoken {
  const { action, content } = recordOf(reply);
  if (action === "decline") return { kind: "declined", why: "declined" };
  if (action !== "accept") return { kind: "cancelled", why: "cancelled" };
  const { answer, message } = recordOf(content);
  return {
    kind: "answered",
    answer: typeof answer === "string" ? answer : "",
    message: typeof message === "string" ? message.slice(0, 4_000) : "",
  };
}

/** Undefined when the client said that it has no way to a person. */
export function personAt(caller: RpcCaller, patienceMs = patience): Person | undefined {
  if (!caller.client.elicits) return undefined;
  return {
    async ask(question) {
      try {
        return spoken(await caller.ask("elicitation/create", form(question), patienceMs));
      } catch (error) {
        return { kind: "no_answer", why: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}
