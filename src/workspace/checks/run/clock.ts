// Another clock for a check: the time that Node and Python programs read is moved by a fixed span. Other languages ask
// the system, whose clock cannot be moved for one program. Each text is loaded before any code of the project.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandRequest } from "../../../core/contract/index.ts";
import { exportedExpression, installedFile, temporaryRoot } from "../../../platform/system/index.ts";

const shipped = (name: string): string => join(installedFile("clock", "src/workspace/checks/run/injected"), name);
const read = (name: string): string => readFileSync(shipped(name), "utf8");

/** Moves the clock of the Node program that runs it. */
export const nodeClock = (aheadMs: number): string => `(${exportedExpression(shipped("clock.cjs"))})(${aheadMs});\n`;

/** Moves the clock of the Python program that runs it. */
export const pythonClock = (aheadMs: number): string => `_ahead = ${aheadMs / 1_000}\n${read("clock.py")}`;

/** The end of a sitecustomize of ours: the one that it hides is loaded after it. */
export const nextSitecustomize = (): string => read("next_sitecustomize.py");

interface MovedClock {
  readonly request: Pick<CommandRequest, "own" | "envAppended">;
  dispose(): void;
}

export function moveClock(aheadMs: number): MovedClock {
  const folder = mkdtempSync(join(temporaryRoot(), "clock-"));
  writeFileSync(join(folder, "clock.cjs"), nodeClock(aheadMs));
  writeFileSync(join(folder, "sitecustomize.py"), pythonClock(aheadMs) + nextSitecustomize());
  return {
    request: {
      own: [{ path: folder, access: "read" }],
      envAppended: {
        NODE_OPTIONS: [" ", `--require=${join(folder, "clock.cjs")}`],
        PYTHONPATH: [":", folder],
      },
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
