// A ZIP that is gone when its holder is done with it, however that comes about.
import { mkdtempSync, rmSync } from "node:fs";
import { temporaryRoot } from "../../system/index.ts";
import { join } from "node:path";
import type { BundlePlan } from "../shapes.ts";
import { writeZip, type WrittenZip, type ZipOptions } from "./write.ts";

interface TemporaryZip extends WrittenZip, Disposable {
  /** Leaves the file where it is. */
  readonly keep: () => void;
}

/** Where the next temporary ZIP would lie: a folder of its own that nobody else can look into. */
export const plannedPath = (folder = temporaryRoot()): string =>
  join(folder, "oracle-bundle-XXXXXX", "oracle-context-package.zip");

export async function writeTemporaryZip(
  plan: BundlePlan,
  options: ZipOptions,
  folder = temporaryRoot(),
): Promise<TemporaryZip> {
  const home = mkdtempSync(join(folder, "oracle-bundle-"));
  const remove = () => rmSync(home, { recursive: true, force: true });
  // A process that is ended from outside runs this too, as long as it is asked and not killed.
  process.once("exit", remove);
  const forget = () => process.removeListener("exit", remove);
  try {
    const written = await writeZip(plan, join(home, "oracle-context-package.zip"), options);
    return {
      ...written,
      keep: forget,
      [Symbol.dispose]() {
        if (process.listeners("exit").includes(remove)) remove();
        forget();
      },
    };
  } catch (error) {
    remove();
    forget();
    throw error;
  }
}
