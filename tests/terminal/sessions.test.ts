// Sessions of the gateway and of oracle among the runs of the screen.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { Bench } from "../oracle/bench.ts";
import { openTerminalDesk } from "./desk.ts";

const at = Date.parse("2026-01-01T10:00:00Z");
const session = {
  id: "ses_0one",
  kind: "coding",
  status: "running",
  title: "Mend the \u001b[2Jlogin page",
  model: "a model",
  createdAt: at,
  updatedAt: at,
  error: null,
};
const events = [
  { seq: 1, at, type: "tool_start", data: { tool: "bash", args: { command: "npm test" } } },
  { seq: 2, at, type: "message", data: { role: "assistant", text: "It passes \u202enow" } },
];

/** A gateway as the screen meets it: three questions, asked by GET. */
async function openGateway(): Promise<string> {
  const answers: Readonly<Record<string, object>> = {
    "/api/sessions": { sessions: [session] },
    "/api/sessions/ses_0one": session,
    "/api/sessions/ses_0one/history": { events },
  };
  const server = createServer(({ url = "" }, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify(answers[url] ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("sessions on the screen", () => {
  it("[R-80] stand below the runs, and open with their events or their answer", async () => {
    const oracle = new Bench();
    onTestFinished(() => oracle.dispose());
    oracle.double([{ answer: "Use a **queue**." }]);
    await oracle.run(["-p", "How should jobs wait"]);
    const desk = openTerminalDesk();
    desk.waiting("Split the parser");
    const terminal = desk.open(
      ["top"],
      { columns: 90, rows: 30 },
      {
        ORACLE_HOME_DIR: oracle.home,
        THEHOOD_GATEWAY_URL: await openGateway(),
        THEHOOD_GATEWAY_TOKEN: "word",
      },
    );
    const list = await terminal.shows("Sessions of oracle (1)");
    expect(list).toContain("Sessions of the gateway (1)");
    expect(list).toContain("Mend the login page");
    terminal.keys("j");
    await terminal.shows("= thehood gateway session ses_0one");
    terminal.keys("\r");
    const opened = await terminal.shows("It passes now");
    expect(opened).toContain('tool_start bash {"command":"npm test"}');
    terminal.keys("q");
    await terminal.shows("Sessions of oracle (1)");
    terminal.keys("j");
    await terminal.shows("= oracle session ");
    terminal.keys("\r");
    await terminal.shows("Use a **queue**.");
    terminal.keys("q");
    await terminal.shows("Sessions of oracle (1)");
    terminal.keys("q");
    expect((await terminal.ended).code).toBe(0);
  });
});
