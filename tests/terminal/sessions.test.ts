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

/** A gateway whose one session waits for values; keeps what it is sent. */
async function openWaiting(): Promise<{ url: string; sent: string[] }> {
  const sent: string[] = [];
  const requested = [
    { key: "SHOP_KEY", description: "of the shop" },
    { key: "PORT", type: "env" },
  ];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString("utf8")));
    request.on("end", () => {
      if (request.method === "POST") sent.push(`${request.url} ${body}`);
      const given = sent.some((one) => one.includes("/env"));
      const waiting = { ...session, agentSession: "ses_1", requested: given ? [] : requested };
      const answers: Readonly<Record<string, object>> = {
        "/api/sessions": { sessions: [waiting] },
        "/api/sessions/ses_0one": waiting,
        "/api/sessions/ses_0one/history": { events },
        "/api/sessions/ses_0one/env": { submitted: true, results: [] },
      };
      response.setHeader("content-type", "application/json").end(JSON.stringify(answers[request.url ?? ""] ?? {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent };
}

describe("sessions on the screen", () => {
  it("[A-46] a session that waits for values is seen, and a key gives them without showing a secret", async () => {
    const { url, sent } = await openWaiting();
    const terminal = openTerminalDesk().open(
      ["top"],
      { columns: 90, rows: 30 },
      { THEHOOD_GATEWAY_URL: url, THEHOOD_GATEWAY_TOKEN: "word" },
    );
    const list = await terminal.shows("waits for values: SHOP_KEY, PORT");
    expect(list).toMatch(/1 wait/);
    await terminal.shows("= thehood gateway answer ses_0one");
    terminal.keys("a");
    await terminal.shows("Values for the agent");
    terminal.keys("hidden?27");
    await terminal.shows("•••••••••");
    terminal.keys("\r8080");
    await terminal.shows("PORT  8080");
    terminal.keys("\r");
    await terminal.shows("the agent has the values");
    expect(terminal.written()).not.toContain("hidden?27");
    expect(sent).toEqual([
      '/api/sessions/ses_0one/env {"secrets":[{"key":"SHOP_KEY","value":"hidden?27"}],"envVars":[{"key":"PORT","value":"8080"}],"stored":[],"saveToConfiguration":false}',
      '/api/sessions/ses_0one/message {"content":"Configuration submitted."}',
    ]);
    terminal.keys("q");
    expect((await terminal.ended).code).toBe(0);
  });

  it("[A-46] a value that the command asks for is not shown while it is typed", async () => {
    const { url, sent } = await openWaiting();
    const terminal = openTerminalDesk().open(
      ["gateway", "answer", "ses_0one"],
      { columns: 90, rows: 30 },
      { THEHOOD_GATEWAY_URL: url, THEHOOD_GATEWAY_TOKEN: "word" },
    );
    await terminal.shows("SHOP_KEY (of the shop):");
    terminal.keys("unseen-31x\u007f\r");
    await terminal.shows("PORT:");
    terminal.keys("99\r");
    await terminal.shows("given: SHOP_KEY, PORT");
    expect(terminal.written()).not.toContain("unseen");
    expect(sent[0]).toContain('"value":"unseen-31"');
    expect(await terminal.ended).toMatchObject({ code: 0, echo: true });
  });

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
