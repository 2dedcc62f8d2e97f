import { describe, expect, it } from "vitest";
import { looksAround } from "./surroundings.ts";

const looks = (line: string) => looksAround("a", line, [[1, 1]]).map(({ what, fixed }) => [what, fixed]);

describe("source that looks around", () => {
  it.each([
    ["os.homedir()", "the machine"],
    ["if isatty.IsTerminal(os.Stdout.Fd()) {", "the machine"],
    ["use std::io::IsTerminal;", "the machine"],
    ["readdirSync('/proc')", "the machine"],
    ["import dns from 'node:dns/promises';", "the network"],
    ["await fetch(url)", "the network"],
    ["import requests", "the network"],
    ["new Date().getFullYear() > 2030", "the clock"],
    ["if time.time() > 2e9:", "the clock"],
    ["SystemTime::now()", "the clock"],
    ["process.env.NODE_ENV === 'production'", "whether it is in production"],
    ["os.environ.get('APP_ENV')", "whether it is in production"],
    ['std::env::var("PRODUCTION")', "whether it is in production"],
    ["import { get } from 'node:https';", "the network"],
    ["import { createServer, request } from 'node:http';", "the network"],
    ["const { connect } = require('net');", "the network"],
    ["import h from 'node:http';", "the network"],
    ["const h = require('http');", "the network"],
    ["(await import('node:http')).get(url)", "the network"],
    ["http.request(url)", "the network"],
    ["from urllib import request", "the network"],
    ["import urllib.request", "the network"],
    ["import urllib", "the network"],
    ["from http import client", "the network"],
    ["resp, err := http.Get(url)", "the network"],
    ["conn, err := net.DialTimeout(kind, address, wait)", "the network"],
    ['\tweb "net/http"', "the network"],
  ])("[B-9] no run can vary what this reads: %s", (line, what) => {
    expect(looks(line)).toContainEqual([what, true]);
  });

  it.each([
    ["process.cwd()", "its folder"],
    ["process.env.CI", "its variables"],
    ["process.stdout.isTTY", "its terminal"],
    ["if sys.stdout.isatty():", "its terminal"],
    ["Math.random()", "chance"],
    ["time.monotonic()", "chance"],
  ])("other runs vary it: %s", (line, what) => {
    expect(looks(line)).toEqual([[what, false]]);
  });

  it.each([
    "export const add = (a, b) => a + b; // the network, os",
    "import { createServer, type IncomingMessage } from 'node:http';",
    "import http from 'node:http';",
    "const http = require('http');",
    "const { isIP } = require('node:net');",
    "require('http').createServer(answer).listen(port);",
    "export const server = http.createServer(answer);",
    "from urllib.parse import urlparse, quote",
    "from http import HTTPStatus",
    "import http.server",
    '\t"net/http"',
    'import "net/url"',
    "func handle(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusOK) }",
  ])("[B-9] this looks at nothing: %s", (line) => {
    expect(looks(line)).toEqual([]);
  });
});
