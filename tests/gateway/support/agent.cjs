#!/run/thehood/node
// Stands in for `opencode serve` inside a box: lists the tool files that it finds and tells the events of one turn. A
// message `CALL tool {json}` posts a callback with the session's own token (request_env_variables is answered inside, as
// by the tool file), `RUN line` runs a shell line, `HANG` never ends its turn; any other message is echoed.
const { createServer } = require("node:http");
const { spawnSync } = require("node:child_process");
const { existsSync, readdirSync } = require("node:fs");

const port = Number(process.argv[process.argv.indexOf("--port") + 1]);
const listeners = new Set();
const began = Date.now().toString(36);
let calls = 0;
/** Whether a turn goes on, as `GET /session/status` tells it. */
let busy = false;
/** The parts so far, as `GET /session/:id/message` tells them. */
const known = new Map();
const tell = (type, properties) => {
  if (properties.part) known.set(properties.part.id, properties.part);
  for (const response of listeners) response.write(`data: ${JSON.stringify({ type, properties })}\n\n`);
};
const folder = ".opencode/tool";
const tools = () =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith(".ts"))
        .map((name) => name.slice(0, -3))
    : [];

/** A directive of a run is answered as a plan that is done. */
function directiveAnswer(text) {
  if (!text.startsWith("{")) return undefined;
  const { outputContract, directiveAck } = JSON.parse(text);
  const plan = { action: "complete", reason: "done", thehoodDirectiveAck: directiveAck.marker };
  return JSON.stringify({ status: "ok", summary: "planned", data: { [outputContract.key]: plan } });
}

const requested = ({ keys }) => `Asked the user for: ${keys.map(({ key }) => key).join(", ")}.`;

async function posted(tool, tool_call_id, args) {
  const { PROLIFERATE_GATEWAY_URL: base, PROLIFERATE_SESSION_ID: id, SANDBOX_MCP_AUTH_TOKEN: token } = process.env;
  const answer = await fetch(`${base}/proliferate/${id}/tools/${tool}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ tool_call_id, args }),
  });
  return answer.text();
}

async function turn(sessionID, text) {
  // An agent that was started anew uses no id again.
  const messageID = `msg_${began}_${++calls}`;
  const [, tool, json] = /CALL (\S+) (\{.*\})/s.exec(text) ?? [];
  busy = true;
  tell("session.status", { sessionID, status: { type: "busy" } });
  let said = directiveAnswer(text) ?? text;
  if (text.includes("HANG")) return;
  const [, line] = /^RUN (.*)$/m.exec(text) ?? [];
  if (line) spawnSync("sh", ["-c", line]);
  // `SLOW ms` is a tool of the agent that takes its time.
  const [, slow] = /SLOW (\d+)/.exec(text) ?? [];
  if (slow) {
    const part = {
      id: `slow_${began}_${calls}`,
      messageID,
      sessionID,
      type: "tool",
      tool: "bash",
      callID: `slow_${began}_${calls}`,
    };
    tell("message.part.updated", {
      part: { ...part, state: { status: "running", input: {}, time: { start: Date.now() } } },
    });
    await new Promise((resolve) => setTimeout(resolve, Number(slow)));
    const time = { start: 1, end: Date.now() };
    tell("message.part.updated", {
      part: { ...part, state: { status: "completed", input: {}, output: "slow", time } },
    });
  }
  if (tool) {
    const input = JSON.parse(json);
    const part = { id: `prt_${began}_${calls}`, messageID, sessionID, type: "tool", tool, callID: `call_${calls}` };
    tell("message.part.updated", {
      part: { ...part, state: { status: "running", input, time: { start: 1 } } },
    });
    said =
      tool === "request_env_variables" ? requested(input) : await posted(tool, `${messageID}:call_${calls}`, input);
    tell("message.part.updated", {
      part: { ...part, state: { status: "completed", input, output: said, time: { start: 1, end: Date.now() } } },
    });
  }
  const part = { id: `txt_${began}_${calls}`, messageID, sessionID, type: "text" };
  for (const delta of said.match(/.{1,5}/gs) ?? [])
    tell("message.part.delta", { sessionID, messageID, partID: part.id, field: "text", delta });
  tell("message.part.updated", { part: { ...part, text: said, time: { start: 1, end: Date.now() } } });
  busy = false;
  tell("session.status", { sessionID, status: { type: "idle" } });
  tell("session.idle", { sessionID });
}

createServer((request, response) => {
  let text = "";
  request.on("data", (chunk) => (text += chunk));
  request.on("end", () => {
    const body = text === "" ? {} : JSON.parse(text);
    if (request.url === "/event") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      listeners.add(response);
      response.on("close", () => listeners.delete(response));
      return response.write('data: {"type":"server.connected","properties":{}}\n\n');
    }
    if (request.url === "/experimental/tool/ids") return response.end(JSON.stringify(["bash", "read", ...tools()]));
    if (request.url === "/session/status") return response.end(JSON.stringify(busy ? { ses_1: { type: "busy" } } : {}));
    if (request.url.endsWith("/message"))
      return response.end(
        JSON.stringify(
          [...known.values()].map((part) => ({ info: { id: part.messageID, role: "assistant" }, parts: [part] })),
        ),
      );
    if (request.url === "/session")
      return response.end(JSON.stringify(request.method === "POST" ? { id: "ses_1" } : []));
    if (request.url.endsWith("/prompt_async")) {
      response.writeHead(204).end();
      return turn("ses_1", body.parts[0].text);
    }
    return response.end("true");
  });
}).listen(port, "0.0.0.0");
