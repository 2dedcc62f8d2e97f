// Copies the home of a live box from inside a sandbox of its own: an agent that swaps a folder for a link while we copy
// leads the copy to nothing of this machine.
import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { fail } from "../../../core/contract/index.ts";
import { systemMountArgs } from "./args.ts";

const limitMs = 600_000;
const script = 'set -e; cp -a --reflink=auto /from/. /to/; cd /to; [ $# -eq 0 ] || rm -rf -- "$@"';

export async function copyConfined(
  bubblewrap: string,
  from: string,
  to: string,
  left: readonly string[],
): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  const places = ["--ro-bind", from, "/from", "--bind", to, "/to"];
  const words = [...systemMountArgs(), ...places, "--clearenv", "--setenv", "PATH", "/usr/bin:/bin"];
  await new Promise<void>((resolve, reject) => {
    const argv = [...words, "--", "sh", "-c", script, "sh", ...left];
    execFile(bubblewrap, argv, { timeout: limitMs, killSignal: "SIGKILL", env: {} }, (error, _, stderr) => {
      if (error) reject(new Error(stderr || error.message));
      else resolve();
    });
  }).catch((error: unknown) =>
    fail("run_failed", `The workspace could not be copied: ${String(error).slice(0, 300)}`),
  );
}
