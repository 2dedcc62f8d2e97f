// A browser that was let in once: it comes back without a link, after a restart of both, until its pairing is ended or over.
import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { PairedDevices } from "../../src/surfaces/web/index.ts";
import { pageDoors } from "../../src/surfaces/web/doors.ts";
import { PageSessions } from "../../src/surfaces/web/sessions.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { chromium, closeBrowser, enter, launch, openStage, serve } from "./stage.ts";

afterAll(closeBrowser);

interface Answered {
  readonly id?: string;
  readonly bearer?: string;
  readonly challenge?: string;
}

function doors(more: { now?: () => number; days?: number; reach?: "all" | "gates"; folder?: string } = {}) {
  const { now = Date.now, days = 30, reach = "all", folder = tempFolder("thehood-devices-") } = more;
  const devices = new PairedDevices(folder, now);
  const sessions = new PageSessions(now, (id) => devices.has(id));
  const table = pageDoors({ sessions, devices, reach, secure: false, pairedDays: () => days });
  const ask = (path: string, given: object, how: { bearer?: string; port?: number; host?: string } = {}) => {
    const { bearer = "", port = 4_000, host = `127.0.0.1:${port}` } = how;
    const headers = { host, "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0" };
    const reply = table[path]?.(given as Record<string, unknown>, { headers, port, bearer });
    return { status: reply?.status, ...(reply?.body as Answered) };
  };
  const pair = (port = 4_000) => {
    const { bearer = "" } = ask("/api/login", { token: sessions.invite() });
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x, y } = publicKey.export({ format: "jwk" });
    const { id = "" } = ask("/api/pair", { key: { x, y } }, { bearer, port });
    return { id, bearer, privateKey };
  };
  return { devices, sessions, ask, pair, folder };
}

const signed = (key: KeyObject, text: string): string =>
  sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }).toString("base64url");

describe("[B-21] a paired browser", () => {
  it("comes in by its key, once for each challenge, and only for the origin that it signed", () => {
    const { ask, pair, sessions } = doors();
    const { id, privateKey } = pair();
    const come = (origin: string, how = {}) => {
      const { challenge = "" } = ask("/api/challenge", { id });
      const signature = signed(privateKey, `thehood ${id} ${challenge} ${origin}`);
      return { body: { id, challenge, signature }, ...ask("/api/return", { id, challenge, signature }, how) };
    };
    const entered = come("http://127.0.0.1:4000");
    expect(sessions.of(entered.bearer ?? "")).toMatchObject({ device: id });
    expect(ask("/api/return", entered.body).status).toBe(401);
    expect(come("http://127.0.0.1:4001").status).toBe(401);
    // A key of one port opens no server on another: a program that took the port meanwhile could pass the signature on.
    expect(come("http://127.0.0.1:4001", { port: 4_001 }).status).toBe(401);
    expect(ask("/api/challenge", { id: "zzzzzzzzzzzz" }).status).toBe(401);
    expect(ask("/api/challenge", { id: "../../../x" }).status).toBe(401);
  });

  it("is refused with another key, a challenge of another device, and after its time", () => {
    let now = 1_000_000;
    const { ask, pair, sessions, devices } = doors({ now: () => now, days: 2 });
    const [one, other] = [pair(), pair()];
    const { challenge = "" } = ask("/api/challenge", { id: one.id });
    const text = `thehood ${one.id} ${challenge} http://127.0.0.1:4000`;
    expect(ask("/api/return", { id: one.id, challenge, signature: signed(other.privateKey, text) }).status).toBe(401);
    const late = ask("/api/challenge", { id: one.id }).challenge ?? "";
    now += 60_001;
    const signature = signed(one.privateKey, `thehood ${one.id} ${late} http://127.0.0.1:4000`);
    expect(ask("/api/return", { id: one.id, challenge: late, signature }).status).toBe(401);
    now += 2 * 86_400_000;
    expect(ask("/api/challenge", { id: one.id }).status).toBe(401);
    expect(sessions.of(one.bearer)).toBeUndefined();
    expect(devices.list()).toEqual([]);
  });

  it("has its open session ended with its pairing, and cannot be written back", () => {
    const { pair, devices, sessions } = doors();
    const { id, bearer } = pair();
    expect(sessions.of(bearer)).toMatchObject({ device: id });
    expect(devices.revoke(id)).toBe(true);
    expect(sessions.of(bearer)).toBeUndefined();
    expect(devices.revoke(id)).toBe(false);
    expect(devices.list()).toEqual([]);
  });

  it("is one entry after a second link, and needs access and a real key", () => {
    const { ask, pair, devices, sessions } = doors();
    const { id } = pair();
    const { bearer = "" } = ask("/api/login", { token: sessions.invite() });
    const { x, y } = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" });
    expect(ask("/api/pair", { key: { x, y } }).status).toBe(401);
    expect(ask("/api/pair", { key: { x, y: x } }, { bearer }).status).toBe(401);
    expect(ask("/api/pair", { key: { x, y }, old: id }, { bearer }).status).toBe(200);
    expect(devices.list()).toHaveLength(1);
    expect(devices.list()[0]).toMatchObject({ name: "Firefox on Linux", reach: "all" });
    expect(doors({ days: 0 }).pair().id).toBe("");
  });

  it("of a phone opens no other reach, and a damaged file opens nothing", () => {
    const phone = doors({ reach: "gates" });
    const { id, privateKey } = phone.pair();
    const own = doors({ folder: phone.folder });
    const { challenge = "" } = own.ask("/api/challenge", { id });
    const signature = signed(privateKey, `thehood ${id} ${challenge} http://127.0.0.1:4000`);
    expect(own.ask("/api/return", { id, challenge, signature }).status).toBe(401);
    const [name = ""] = readdirSync(phone.folder);
    expect(statSync(join(phone.folder, name)).mode & 0o777).toBe(0o600);
    writeFileSync(join(phone.folder, name), '{"id":"');
    expect(phone.ask("/api/challenge", { id }).status).toBe(401);
    expect(phone.devices.list()).toEqual([]);
  });
});

describe.skipIf(!chromium)("[B-21] a bookmark of the page", () => {
  it("works in a paired browser after the server started anew, without a cookie, until it is revoked", async () => {
    const stage = openStage();
    stage.run();
    const first = await serve(stage);
    const page = await enter(first);
    const { context } = { context: page.context() };
    const listed = () =>
      stage.thehood(["web", "devices", "--json"]).json<{ devices: { id: string; name: string }[] }>().devices;
    await expect.poll(listed).toHaveLength(1);
    await first.kill();
    await page.close();
    const second = await serve(stage);
    expect(second.origin).toBe(first.origin);
    const tab = await context.newPage();
    await tab.goto(second.origin);
    await tab.getByRole("link", { name: /Make add\(\) add/ }).waitFor();
    expect(await context.cookies()).toEqual([]);
    // The key is there and cannot be read.
    const key = await tab.evaluate(`new Promise((resolve) => {
      const opening = indexedDB.open("thehood", 1);
      opening.onsuccess = () => {
        const got = opening.result.transaction("pair").objectStore("pair").get("own");
        got.onsuccess = () => crypto.subtle.exportKey("jwk", got.result.key).then(() => resolve("read"), () => resolve("kept"));
      };
    })`);
    expect(key).toBe("kept");
    // Another browser has no part in it.
    const stranger = await (await launch()).newContext();
    onTestFinished(() => stranger.close());
    const outside = await stranger.newPage();
    await outside.goto(second.origin);
    await outside.getByText("This tab is not let in").waitFor();
    // The open page of a revoked browser is closed too.
    await tab.getByRole("link", { name: "Paired devices" }).click();
    await tab.getByText("Chrome on Linux").waitFor();
    await tab.getByRole("button", { name: "Revoke" }).click();
    await tab.getByText("This tab is not let in").waitFor();
    expect(listed()).toEqual([]);
    await tab.goto(second.origin);
    await tab.getByText("This tab is not let in").waitFor();
  });
});
