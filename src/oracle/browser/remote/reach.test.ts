import { expect, it } from "vitest";
import { lastSaid, remoteTarget } from "./reach.ts";

it.each([
  ["desk", { kind: "tls", host: "desk", port: 9473 }],
  ["192.168.1.5:9000", { kind: "tls", host: "192.168.1.5", port: 9000 }],
  ["[fe80::1]:9000", { kind: "tls", host: "fe80::1", port: 9000 }],
  ["ssh://desk", { kind: "ssh", host: "desk", port: null }],
  ["ssh://me@desk.example:2222/", { kind: "ssh", host: "me@desk.example", port: 2222 }],
])("%s is %j", (given, target) => {
  expect(remoteTarget(given)).toEqual(target);
});

it.each([
  "",
  "-oProxyCommand=x",
  "ssh://-oProxyCommand=x",
  "ssh://me@-x",
  "a b",
  "desk:99999",
  "me@desk:9473",
  "https://desk:9473",
  "desk;reboot",
  "ssh://desk/$(reboot)",
])("%j names no machine", (given) => {
  expect(() => remoteTarget(given)).toThrow(/names no machine/);
});

it.each([
  ["", { why: "ssh ended" }],
  ["Warning: added far\nme@far: Permission denied (publickey).\n", { why: "me@far: Permission denied (publickey)." }],
  [
    "oracle: There is no display.\n→ Install Xvfb.\n",
    { why: "There is no display.", remedy: "On that machine: Install Xvfb." },
  ],
])("what the other side printed, %j, is told as %j", (printed, expected) => {
  expect(lastSaid(printed)).toEqual(expected);
});
