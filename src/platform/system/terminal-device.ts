// The terminal of a person: raw keys, its size, their editor. It is given back whole, however the program ends.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { TerminalDevice, TerminalSize } from "../../core/contract/index.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** A terminal without a known size gets the usual one. */
const size = (): TerminalSize => ({
  columns: process.stdout.columns || 80,
  rows: process.stdout.rows || 24,
});

/** The person sees the first frame before a guard is started. */
const guardMs = 250;

/**
 * A program that is ended by `kill -9` restores nothing. A small process waits for the end of a pipe: when that comes
 * before its own end, it writes the sequence that leaves our screen. The shell resets the key modes itself.
 */
function guarded(restore: string): Disposable {
  let over = false;
  let leave = (): void => undefined;
  const start = async (): Promise<void> => {
    const { spawn } = await import("node:child_process");
    if (over) return;
    const line = 'read -r word || printf %s "$1" >/dev/tty';
    const child = spawn("/bin/sh", ["-c", line, "sh", restore], { stdio: ["pipe", "ignore", "ignore"] });
    // A terminal without a guard is as good as any other terminal.
    child.once("error", () => undefined);
    child.unref();
    (child.stdin as Socket).unref();
    leave = () => void child.kill("SIGKILL");
  };
  const timer = setTimeout(() => void start(), guardMs);
  timer.unref();
  return {
    [Symbol.dispose]() {
      over = true;
      clearTimeout(timer);
      leave();
    },
  };
}

export function openDevice(env: Variables, write: (text: string) => void): TerminalDevice {
  return {
    size,
    write,
    take(hears, restore) {
      const { stdin, stdout } = process;
      const onData = (chunk: Buffer | string) => hears.text(String(chunk));
      // The shell has set the terminal back meanwhile, which is not known here: only a change of the mode is written.
      const resumed = () => {
        stdin.setRawMode(false);
        stdin.setRawMode(true);
        hears.changed();
      };
      let taken = true;
      const guard = guarded(restore());
      const back = () => {
        if (!taken) return;
        taken = false;
        guard[Symbol.dispose]();
        write(restore());
        if (!stdin.destroyed) stdin.setRawMode(false);
      };
      stdin.setRawMode(true);
      stdin.setEncoding("utf8");
      stdin.on("data", onData);
      stdin.resume();
      stdout.on("resize", hears.changed);
      process.on("SIGCONT", resumed);
      process.on("exit", back);
      return {
        [Symbol.dispose]() {
          stdin.off("data", onData);
          stdin.pause();
          stdout.off("resize", hears.changed);
          process.off("SIGCONT", resumed);
          process.off("exit", back);
          back();
        },
      };
    },
    edit: (text) => editText(env, text),
    stop() {
      process.stdin.setRawMode(false);
      // The whole job is stopped, with the program that started us.
      process.kill(0, "SIGTSTP");
    },
    async startBeside(words) {
      const { spawn } = await import("node:child_process");
      const entry = process.argv[1];
      if (entry === undefined) throw new TypeError("the program does not know its own entry");
      const child = spawn(process.execPath, [...process.execArgv, entry, ...words], { stdio: "ignore" });
      child.once("error", () => undefined);
      process.once("exit", () => child.kill());
      child.unref();
    },
  };
}

/** The editor is a command line of the user: a shell parses it, and the file is an argument of its own. */
async function editText(env: Variables, text: string): Promise<string | null> {
  const { spawn } = await import("node:child_process");
  const folder = mkdtempSync(join(tmpdir(), "thehood-edit-"));
  const file = join(folder, "MESSAGE.md");
  try {
    writeFileSync(file, text, { mode: 0o600 });
    const editor = env["VISUAL"] || env["EDITOR"] || "vi";
    const child = spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit" });
    const code = await new Promise<number | null>((resolve) => {
      child.once("error", () => resolve(null));
      child.once("exit", resolve);
    });
    return code === 0 ? readFileSync(file, "utf8") : null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
