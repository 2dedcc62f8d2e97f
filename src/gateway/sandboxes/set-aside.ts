// A snapshot of a live machine that the provider copies as a whole: files with secrets are removed first, kept in memory, and
// written back afterwards in any case. A secret value in another file refuses the snapshot.
import { fail } from "../../core/contract/index.ts";
import { places } from "../rules/index.ts";
import { mustRun } from "./exec-files.ts";
import type { Sandbox, Scrub } from "./port.ts";

type SandboxIo = Pick<Sandbox, "exec" | "write" | "clear">;

async function textsOf({ exec }: SandboxIo, paths: readonly string[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const path of paths) {
    const { code, stdout } = await exec(["cat", "--", path], { cwd: "/" });
    if (code === 0) texts.set(path, stdout.toString("utf8"));
  }
  return texts;
}

async function refuseValues({ exec }: SandboxIo, values: readonly string[]): Promise<void> {
  const long = values.filter(({ length }) => length >= 6).map((value) => value.split("\n", 1)[0] ?? "");
  if (long.length === 0) return;
  const { code, stdout } = await exec(["grep", "-rlaF", "-f", "-", "--", places.home], {
    input: Buffer.from(`${long.join("\n")}\n`),
    cwd: "/",
    timeoutMs: 300_000,
  });
  if (code === 0)
    fail(
      "permission_denied",
      `A secret value is in ${stdout.toString("utf8").trim().split("\n").slice(0, 5).join(", ")}.`,
      {
        remedy: "Remove it there, then take the snapshot again.",
      },
    );
  if (code !== 1) fail("run_failed", "The sandbox could not be searched for secret values.");
}

export async function withoutSecrets<T>(
  sandbox: SandboxIo,
  { files, values }: Scrub,
  take: () => Promise<T>,
): Promise<T> {
  const removed = await textsOf(sandbox, files);
  try {
    await sandbox.clear([...removed.keys()]);
    await refuseValues(sandbox, values);
    await mustRun(sandbox.exec, ["sync"], { cwd: "/" });
    return await take();
  } finally {
    await sandbox.write([...removed].map(([path, text]) => ({ path, text, mode: 0o600 })));
  }
}
