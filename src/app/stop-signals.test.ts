import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { expect, it } from "vitest";

const file = join(import.meta.dirname, "stop-signals.ts");

it.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("the first %s aborts, and the second ends the process with %i", async (signal, code) => {
  const script = `import(${JSON.stringify(file)}).then(({ stopOnSignals }) => {
    const stop = stopOnSignals();
    stop.signal.addEventListener("abort", () => console.log(stop.signal.reason.message));
    setInterval(() => undefined, 1_000);
    console.log("ready");
  })`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  const lines = child.stdout.setEncoding("utf8")[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe("ready\n");
  child.kill(signal);
  expect((await lines.next()).value).toBe(`${signal}\n`);
  child.kill(signal);
  expect((await ended)[0]).toBe(code);
});
