import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { layMove } from "../../../../tests/support/half-move.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { waitUntil } from "../../../../tests/support/wait-until.ts";
import { journalLocation, readEnding } from "./journal.ts";
import { startMover } from "./supervise.ts";

/** A checkout with one file to be replaced and the journal for it. */
function scene() {
  const top = tempFolder("supervise-");
  const folder = join(top, ".thehood", "apply", "1");
  writeFileSync(join(top, "a.txt"), "old");
  layMove(top, folder, { "a.txt": "new" });
  const lock = { lend: () => undefined, takeBack: () => Promise.resolve(), release: () => undefined };
  return { top, folder, lock, content: () => readFileSync(join(top, "a.txt"), "utf8") };
}

/** A mover that says where it is and never comes to its work, as Node does with too few threads. */
function hanging(top: string): { program: string; pid: () => number | undefined } {
  const [program, file] = [join(top, "hangs.cjs"), join(top, "pid")];
  writeFileSync(
    program,
    `require("node:fs").writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000);`,
  );
  return { program, pid: () => (existsSync(file) ? Number(readFileSync(file, "utf8")) : undefined) };
}

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);

describe("[B-17] a mover", () => {
  it("that works tells its result", async () => {
    const { folder, lock, content } = scene();
    expect(await startMover(folder).go(lock)).toEqual({ ending: "done", conflicts: [] });
    expect(content()).toBe("new");
    expect(readEnding(journalLocation(folder))?.ending).toBe("done");
  });

  it("that never begins is ended, and the journal is carried out without it", async () => {
    const { top, folder, lock, content } = scene();
    const { program, pid } = hanging(top);
    const mover = startMover(folder, program, 1_000);
    expect(await mover.go(lock)).toEqual({ ending: "done", conflicts: [] });
    expect(content()).toBe("new");
    expect([undefined, false]).toContain(pid() === undefined ? undefined : isAlive(pid() ?? 0));
  });

  it.skipIf(process.platform !== "linux")("that is not needed goes, also when it hangs (needs Linux)", async () => {
    const { top, folder, content } = scene();
    const { program, pid } = hanging(top);
    const mover = startMover(folder, program);
    await waitUntil(() => pid() !== undefined, "the mover runs");
    mover.dismiss();
    await waitUntil(() => !isAlive(pid() ?? 0), "the mover is gone");
    expect(content()).toBe("old");
  });
});
