// Snapshots of a page while a run works, and a snapshot with a screenshot when a step fails. Private files, redacted,
// without cookies and stored data of the site.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { FailureError } from "../../core/contract/index.ts";
import type { Marks } from "./marks.ts";
import type { Tab } from "./tab/tab.ts";

export interface EvidenceFolder {
  /** Null where nothing is stored. */
  readonly folder: string | null;
  readonly redact: (text: string) => string;
}

async function saveHtml(tab: Tab, path: string, { redact }: EvidenceFolder): Promise<string> {
  writeFileSync(path, redact(await tab.page("snapshot")), { mode: 0o600 });
  return path;
}

/** The paths of the stored files; empty when the page can no longer be read. */
export async function keepFailure(tab: Tab, marks: Marks, step: string, target: EvidenceFolder): Promise<string[]> {
  if (target.folder === null || tab.lost !== null) return [];
  const base = join(target.folder, `failure-${step.replaceAll(/\W+/g, "-")}`);
  const paths: string[] = [];
  try {
    paths.push(await saveHtml(tab, `${base}.html`, target));
    await tab.page("veil", marks, true);
    writeFileSync(`${base}.png`, await tab.screenshot(), { mode: 0o600 });
    paths.push(`${base}.png`);
    await tab.page("veil", marks, false);
  } catch (error) {
    // A page that dies while it is saved leaves fewer files; the failure is reported either way.
    if (!(error instanceof Error)) throw error;
  }
  return paths;
}

/** The failure with the paths of its evidence in it. */
export function withEvidence(error: FailureError, paths: readonly string[]): FailureError {
  if (paths.length === 0) return error;
  const { failure } = error;
  return new FailureError(
    {
      ...failure,
      message: `${failure.message} Saved: ${paths.join(", ")}`,
      details: { ...failure.details, evidence: paths },
    },
    { cause: error },
  );
}

/** T-10: numbered snapshots at an interval. `end` waits for the one that is being written. */
export class Snapshots {
  readonly #tab: Tab;
  readonly #target: EvidenceFolder;
  readonly #log: (line: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #busy = false;
  #count: number;
  readonly paths: string[] = [];

  constructor(tab: Tab, target: EvidenceFolder, log: (line: string) => void, count: number) {
    this.#tab = tab;
    this.#target = target;
    this.#log = log;
    this.#count = count;
  }

  start(everyMs: number | null): void {
    if (everyMs === null || this.#target.folder === null) return;
    const take = () => {
      if (this.#busy) return;
      this.#busy = true;
      this.#writing = this.#one().finally(() => (this.#busy = false));
    };
    take();
    this.#timer = setInterval(take, everyMs);
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
  }

  async #one(): Promise<void> {
    const name = `snapshot-${String(this.#count + 1).padStart(3, "0")}.html`;
    try {
      this.paths.push(await saveHtml(this.#tab, join(this.#target.folder ?? "", name), this.#target));
      this.#count += 1;
    } catch (error) {
      this.#log(`no snapshot: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
