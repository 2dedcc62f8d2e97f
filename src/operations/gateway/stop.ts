// `gateway stop`: ends the sandbox of a session.
import { define } from "../context/index.ts";
import { text } from "../define/index.ts";

export const gatewayStop = define({
  name: "gateway stop",
  group: "Connect",
  summary: "Stop a session: its sandbox ends, and its tokens open nothing any more",
  examples: ["thehood gateway stop ses_0mx"],
  effect: "moves",
  input: { sessionId: text("a session", { min: 1, max: 100, cli: { value: "session" } }) },
  async handle({ sessionId }, { ports }) {
    const path = `/api/sessions/${encodeURIComponent(sessionId)}/stop`;
    const { id, status } = (await ports.gateway.ask("POST", path)) as { id: string; status: string };
    return { sessionId: id, status };
  },
  cli: { words: ["sessionId"] },
});
