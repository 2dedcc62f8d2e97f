// A snapshot of a live machine that the provider copies as a whole: secrets are put aside first, kept in our memory, and put
// back afterwards, whatever became of the snapshot. A value that stands elsewhere refuses the snapshot.
import { fail } from "../../core/contract/index.ts";
import { places } from "../rules/index.ts";
import { mustRun } from "./exec-files.ts";
import type { Box, Scrub } from "./port.ts";

type Hands = Pick<Box, "exec" | "write" | "clear">;

async function textsOf({ exec }: Hands, paths: readonly string[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const path of paths) {
    const { code, stdout } = await exec(["cat", "--", path], { cwd: "/" });
    if (code === 0) texts.set(path, stdout.toString("utf8"));
  }
  return texts;
}

async function refuseValues({ exec }: Hands, values: readonly string[]): Promise<void> {
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
      `A secret value stands in ${stdout.toString("utf8").trim().split("\n").slice(0, 5).join(", ")}.`,
      {
        remedy: "Remove it there, then take the snapshot again.",
      },
    );
  if (code !== 1) fail("run_failed", "The sandbox could not be searched for secret values.");
}

export async function withoutSecrets<T>(
  hands: Hands,
  { files, values }: Scrub,
  take: () => Promise<T>,
): Promise<T> {
  const aside = await textsOf(hands, files);
  try {
    await hands.clear([...aside.keys()]);
    await refuseValues(hands, values);
    await mustRun(hands.exec, ["sync"], { cwd: "/" });
    return await take();
  } finally {
    await hands.write([...aside].map(([path, text]) => ({ path, text, mode: 0o600 })));
  }
}
