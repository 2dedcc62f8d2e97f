// The network of a local sandbox: loopback of its own, the gateway, and the hosts of a list. Real programs ask from inside.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { describe, expect, it, onTestFinished } from "vitest";
import { localSandboxes } from "../../src/gateway/sandboxes/local/provider.ts";
import type { Sandbox } from "../../src/gateway/sandboxes/index.ts";
import { hostRule, isInner, ruleFor, type HostRule } from "../../src/gateway/rules/index.ts";
import { initProgram } from "../../src/gateway/process/index.ts";
import { detectSandbox } from "../../src/platform/sandbox/index.ts";
import { tempFolder } from "../support/temp-folder.ts";

const confined = (await detectSandbox()).kind === "bubblewrap";

async function host(says: string): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end(says);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, asked };
}

async function boxWith(hosts: readonly string[]): Promise<Sandbox> {
  const sandboxes = localSandboxes({
    folder: tempFolder("sandbox-network-"),
    path: process.env["PATH"] ?? "",
    init: initProgram(),
    node: process.execPath,
    opencode: undefined,
    accept: (socket) => socket.destroy(),
    hosts: hosts.map((text) => hostRule(text) as HostRule),
  });
  const sandbox = await sandboxes.create({
    sessionId: "s",
    generation: 1,
    from: null,
    source: null,
    env: {},
  });
  onTestFinished(() => sandbox.stop());
  return sandbox;
}

/** A program of its own in the sandbox that asks through CONNECT or with a whole address, or goes straight to the host. */
const program = `
const { connect } = require("node:net");
const [, how, port] = process.argv;
const proxy = new URL(process.env.HTTPS_PROXY ?? "http://127.0.0.1:9");
const straight = how === "straight";
const socket = connect(straight ? Number(port) : Number(proxy.port), "127.0.0.1");
let text = "";
const ask = (path) => path + " HTTP/1.1\\r\\nHost: 127.0.0.1:" + port + "\\r\\nConnection: close\\r\\n\\r\\n";
socket.on("connect", () => socket.write(ask(how === "connect" ? "CONNECT 127.0.0.1:" + port : how === "plain" ? "GET http://127.0.0.1:" + port + "/plain" : "GET /straight")));
let tunnelled = false;
socket.on("data", (chunk) => {
  text += chunk;
  if (how === "connect" && !tunnelled && text.startsWith("HTTP/1.1 200")) {
    tunnelled = true;
    socket.write(ask("GET /tunnel"));
  }
});
socket.on("error", (error) => (text += error.code));
socket.on("close", () => console.log(text));
`;
const ask = async (sandbox: Sandbox, how: string, port: number): Promise<string> =>
  (await sandbox.exec(["node", "-e", program, how, String(port)], { cwd: "/" })).stdout.toString("utf8");

describe("the network of a local sandbox", () => {
  it.skipIf(!confined)("lets programs through to a host of the list, and to no other one", async () => {
    const open = await host("open door");
    const shut = await host("shut door");
    const sandbox = await boxWith([`127.0.0.1:${open.port}`]);
    expect(await ask(sandbox, "connect", open.port)).toContain("open door");
    expect(await ask(sandbox, "plain", open.port)).toContain("open door");
    expect(open.asked).toEqual(["/tunnel", "/plain"]);
    for (const how of ["connect", "plain"]) {
      const answer = await ask(sandbox, how, shut.port);
      expect(answer).toContain("HTTP/1.1 403");
      expect(answer).toContain(`127.0.0.1:${shut.port} is not on the list of allowed hosts`);
    }
    expect(await ask(sandbox, "straight", shut.port)).toContain("ECONNREFUSED");
    expect(await ask(sandbox, "straight", open.port)).toContain("ECONNREFUSED");
    expect(shut.asked).toEqual([]);
  });

  it.skipIf(!confined)("has no way out without a list", async () => {
    const shut = await host("shut door");
    const sandbox = await boxWith([]);
    expect((await sandbox.exec(["sh", "-c", "echo $HTTPS_PROXY$HTTP_PROXY"])).stdout.toString("utf8")).toBe("\n");
    for (const how of ["connect", "straight"]) expect(await ask(sandbox, how, shut.port)).toContain("ECONNREFUSED");
    expect(shut.asked).toEqual([]);
  });

  it.skipIf(!confined)("refuses an allowed name that leads to this machine", async () => {
    const shut = await host("shut door");
    const sandbox = await boxWith([`localhost.localdomain:${shut.port}`, `*.localhost:${shut.port}`]);
    const line = `curl -sS -m 10 http://a.localhost:${shut.port}/; curl -sS -m 10 -p -x "$HTTP_PROXY" http://x.localhost:${shut.port}/`;
    const { stdout, stderr } = await sandbox.exec(["sh", "-c", line], { cwd: "/" });
    expect(`${stdout.toString("utf8")}${stderr}`).not.toContain("shut door");
    expect(shut.asked).toEqual([]);
  });

  it.each([
    ["registry.npmjs.org", "registry.npmjs.org", 443, true],
    ["registry.npmjs.org", "REGISTRY.npmjs.org.", 443, true],
    ["registry.npmjs.org", "registry.npmjs.org", 22, false],
    ["registry.npmjs.org", "evil-registry.npmjs.org", 443, false],
    ["registry.npmjs.org", "registry.npmjs.org.evil.com", 443, false],
    ["*.example.com", "a.b.example.com", 80, true],
    ["*.example.com", "example.com", 80, false],
    ["*.example.com", "evilexample.com", 80, false],
    ["10.0.0.7:5432", "10.0.0.7", 5432, true],
    ["10.0.0.7:5432", "10.0.0.7", 80, false],
  ])("the rule %s for %s:%i", (rule, name, port, through) => {
    expect(ruleFor([hostRule(rule) as HostRule], name, port) !== undefined).toBe(through);
  });

  it.each(["", "*", "*.1.2", "a b", "http://a", "a:0", "a:70000", "a/b", "a:", "-x@y"])('"%s" is no rule', (text) => {
    expect(hostRule(text)).toBeUndefined();
  });

  it.each([
    ["127.0.0.1", true],
    ["10.1.2.3", true],
    ["172.16.0.1", true],
    ["172.32.0.1", false],
    ["192.168.1.1", true],
    ["169.254.169.254", true],
    ["100.64.0.1", true],
    ["0.0.0.0", true],
    ["::1", true],
    ["::ffff:127.0.0.1", true],
    ["fd00::1", true],
    ["fe80::1", true],
    ["8.8.8.8", false],
    ["2606:4700::1111", false],
  ])("%s is an inner address: %s", (address, inner) => {
    expect(isInner(address)).toBe(inner);
  });
});
