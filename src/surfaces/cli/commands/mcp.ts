// Serving the MCP tools. Standard output belongs to the protocol: nothing else is ever written there.
import { exitCodes, fail } from "../../../contract/index.ts";
import type { Call, CommandBody } from "../spec.ts";

function port(call: Call): number {
  const text = call.flags.text("port") ?? "0";
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    fail("invalid_input", `--port cannot be "${text}".`, {
      remedy: "Give a number from 0 to 65535; 0 takes a free one.",
    });
  return Number(text);
}

const httpOnly = ["port", "host", "allow-remote", "keep-token"] as const;

export const serve: CommandBody = {
  async run(call) {
    const { flags } = call;
    const http = flags.on("http");
    const stray = httpOnly.find((name) =>
      name === "port" || name === "host" ? flags.text(name) !== undefined : flags.on(name),
    );
    if (!http && stray)
      fail("invalid_input", `--${stray} is about HTTP.`, { remedy: `Add --http, or leave --${stray} out.` });
    await call.given.serveMcp({
      roots: [call.repo, ...flags.texts("root")],
      named: flags.text("repo") !== undefined,
      signal: call.signal,
      terminal: call.spell,
      http: http
        ? {
            host: flags.text("host") ?? "127.0.0.1",
            port: port(call),
            remote: flags.on("allow-remote"),
            keepToken: flags.on("keep-token"),
          }
        : undefined,
    });
    return exitCodes.ok;
  },
};
