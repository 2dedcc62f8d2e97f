// Runs one program of this machine with its input, a time limit and a size limit.
import { spawn } from "node:child_process";
import type { ExecOptions, ExecResult } from "./port.ts";

const usual = { timeoutMs: 60_000, maxBytes: 16 << 20 } as const;

export function execProgram(program: string, argv: readonly string[], options: ExecOptions = {}): Promise<ExecResult> {
  const { input, timeoutMs = usual.timeoutMs, maxBytes = usual.maxBytes } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...argv], { timeout: timeoutMs, killSignal: "SIGKILL" });
    const out: Buffer[] = [];
    let size = 0;
    let errors = "";
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) out.push(chunk);
      else child.kill("SIGKILL");
    });
    child.stderr.on("data", (chunk: Buffer) => (errors = `${errors}${chunk.toString("utf8")}`.slice(-10_000)));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout: Buffer.concat(out), stderr: errors }));
    // A program may end before it has read its input: its exit code counts.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}
