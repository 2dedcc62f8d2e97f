import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { createServer, connect, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { afterEach, expect, it } from "vitest";
import type { Ask } from "../process/protocol.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { Relay, removeLeftFiles } from "./relay.ts";

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

/** A relay behind a real socket; the keeper behind it writes down what it is asked. */
async function relayed() {
  const asked: Ask[] = [];
  const link = {
    ask: async (ask: Ask) => {
      asked.push(ask);
      return ask.ask === "view"
        ? { view: { tabs: [{ key: "secret-run", state: "in_use", since: "s" }] } }
        : { ok: true };
    },
    close: () => undefined,
    onEvent: () => undefined,
    onGone: () => undefined,
  };
  const made: Relay[] = [];
  const server = createServer((socket) => {
    made.push(new Relay(socket, { openLink: async () => link, loggedIn: () => ["chatgpt"], onHello: () => undefined }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client: Socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  await once(client, "connect");
  open.push({ close: () => client.destroy() }, server);
  let next = 0;
  const ask = async (request: object): Promise<{ result?: Record<string, unknown>; error?: string }> => {
    next += 1;
    client.write(`${JSON.stringify({ id: next, ...request })}\n`);
    const [line] = (await once(client, "data")) as [Buffer];
    return JSON.parse(line.toString("utf8")) as { result?: Record<string, unknown>; error?: string };
  };
  return { asked, ask, client };
}

const hello = { ask: "hello", protocol: 1, host: "laptop" };
const cdp = (method: string, params: object) => ({ ask: "cdp", method, params });

it("[T-37] answers nothing before hello, and nothing of another protocol", async () => {
  const { ask, asked } = await relayed();
  expect((await ask({ ask: "view" })).error).toContain("say hello first");
  expect((await ask({ ...hello, protocol: 2 })).error).toContain("protocol");
  expect((await ask({ ask: "view" })).error).toContain("say hello first");
  expect((await ask(hello)).result).toEqual({ protocol: 1, loggedIn: ["chatgpt"] });
  expect(asked).toEqual([]);
});

it("[T-37] keeps runs of two machines apart, tells no names of tabs, and ends no browser", async () => {
  const { ask, asked } = await relayed();
  await ask(hello);
  await ask({ ask: "lease", key: "my-run", owner: {} });
  expect(asked).toEqual([{ ask: "lease", key: "laptop/my-run", owner: {} }]);
  expect(JSON.stringify(await ask({ ask: "view" }))).not.toContain("secret-run");
  expect((await ask({ ask: "stop" })).error).toContain("only the machine");
  expect(asked.map((one) => one.ask)).toEqual(["lease", "view"]);
});

it("[T-37] gives a page only files that were put there, and opens only https", async () => {
  const { ask, asked, client } = await relayed();
  await ask(hello);
  const files = (paths: readonly string[]) => cdp("DOM.setFileInputFiles", { files: paths, objectId: "1" });
  expect((await ask(files(["/etc/hostname"]))).error).toContain("only files");
  for (const url of ["file:///etc/hostname", "chrome://settings", "about:blank", "http://x.invalid/"])
    expect((await ask(cdp("Page.navigate", { url }))).error, url).toContain("only https");
  expect(asked).toEqual([]);
  const put = await ask({ ask: "file", name: "..\\..\\a/../../b.txt", base64: "eA==" });
  const path = String(put.result?.["path"]);
  expect(path).toMatch(/oracle-remote-\d+-\w+\/f-\w+\/b\.txt$/);
  expect((await ask(files([path, "/etc/hostname"]))).error).toContain("only files");
  expect((await ask(files([path]))).result).toEqual({ ok: true });
  expect((await ask(cdp("Page.navigate", { url: "https://chatgpt.com/" }))).result).toEqual({ ok: true });
  client.destroy();
  await expect.poll(() => existsSync(path)).toBe(false);
});

it.each(["null\n", "5\n", "{\n", "[]\n"])("a line %j ends its own connection at most, and no other", async (line) => {
  const { client } = await relayed();
  const other = await relayed();
  client.write(line);
  client.write(`${JSON.stringify({ id: 1, ...hello })}\n`);
  await Promise.race([once(client, "close"), once(client, "data")]);
  expect((await other.ask(hello)).result).toMatchObject({ loggedIn: ["chatgpt"] });
});

it("files that a killed process left are removed, those of a living one stay", () => {
  const folder = tempFolder("placed-");
  const [dead, living, foreign] = ["oracle-remote-4194303-ab", `oracle-remote-${process.pid}-ab`, "oracle-remote-x"];
  for (const name of [dead, living, foreign]) mkdirSync(join(folder, name, "f-1"), { recursive: true });
  removeLeftFiles(folder);
  expect(readdirSync(folder).sort()).toEqual([living, foreign].sort());
});
