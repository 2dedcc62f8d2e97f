// The WebSocket of the public contract at `/proliferate/:sessionId`: `status`, `init` with the messages so far, then each event
// by the contract's name.
import type { WebSocket } from "ws";
import { FailureError } from "../../core/contract/index.ts";
import { publicEvent, publicMessages, publicStatus, strictJson } from "../rules/index.ts";
import type { Gateway } from "../service/index.ts";
import { publicClientMessage } from "./public-routes.ts";
import { followWith, type Upgrade, webSockets } from "./streams.ts";

const sendMessage = (client: WebSocket, type: string, payload?: object): void =>
  client.send(JSON.stringify({ type, ...(payload ? { payload } : {}) }));

export const upgradePublic: Upgrade = async (gateway, sessionId, request, socket, head) => {
  const server = await webSockets();
  // What was there before the client is in `init`; every later event follows.
  const before = await gateway.events.last(sessionId);
  const { status } = await gateway.sessions.find(sessionId);
  server.handleUpgrade(request, socket, head, (client) => {
    sendMessage(client, "status", { status: publicStatus(status) });
    sendMessage(client, "init", { messages: publicMessages(before) });
    followWith(gateway, sessionId, client, before.at(-1)?.seq ?? 0, (event) => {
      const message = publicEvent(event);
      if (message) sendMessage(client, message.type, message.payload);
    });
    client.on("message", (data) => void handle(gateway, sessionId, client, String(data)));
  });
};

async function handle(gateway: Gateway, sessionId: string, client: WebSocket, text: string): Promise<void> {
  try {
    await perform(gateway, sessionId, client, strictJson(text));
  } catch (error) {
    if (!(error instanceof FailureError)) gateway.deps.log({ level: "error", sessionId, stack: String(error) });
    sendMessage(client, "error", { message: error instanceof FailureError ? error.message : "Internal server error" });
  }
}

async function perform(gateway: Gateway, sessionId: string, client: WebSocket, given: unknown): Promise<void> {
  const { data } = publicClientMessage.safeParse(given);
  switch (data?.type) {
    case "prompt":
      return gateway.sessions.message(sessionId, data.content);
    case "cancel":
      await gateway.sessions.cancel(sessionId);
      return sendMessage(client, "message_cancelled", {});
    case "ping":
      return sendMessage(client, "pong");
    case "get_status":
      return sendMessage(client, "status", { status: publicStatus((await gateway.sessions.find(sessionId)).status) });
    case "get_messages":
      return sendMessage(client, "init", { messages: publicMessages(await gateway.events.last(sessionId)) });
    case "save_snapshot": {
      const saved = await gateway.saved.save(sessionId, data.message ?? "").catch((error: unknown) => {
        if (!(error instanceof FailureError)) throw error;
        return { error: error.message };
      });
      return sendMessage(client, "snapshot_result", { success: !("error" in saved), ...saved });
    }
    default:
      return sendMessage(client, "error", { message: "This kind of message is not served by this gateway." });
  }
}
