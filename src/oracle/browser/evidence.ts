// The evidence of a page for a person: snapshots while it works, and a snapshot and a picture when a step fails. Private
// files, redacted; no cookie and no stored data of the site is among them.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { FailureError } from "../../core/contract/index.ts";
import type { Marks } from "./shapes.ts";
import type { Tab } from "./tab/tab.ts";

export interface EvidenceFolder {
  /** Null where nothing is to be kept. */
  readonly folder: string | null;
  readonly redact: (text: string) => string;
}

async function saveHtml(tab: Tab, path: string, { redact }: EvidenceFolder): Promise<string> {
  writeFileSync(path, redact(await tab.page("snapshot")), { mode: 0o600 });
  return path;
}

/** The paths of what was kept; none when the page can no longer be read. */
export async function keepFailure(
  tab: Tab,
  marks: Marks,
  step: string,
  place: EvidenceFolder,
): Promise<string[]> {
  if (place.folder === null || tab.lost !== null) return [];
  const base = join(place.folder, `failure-${step.replaceAll(/\W+/g, "-")}`);
  const kept: string[] = [];
  try {
    kept.push(await saveHtml(tab, `${base}.html`, place));
    await tab.page("veil", marks, true);
    writeFileSync(`${base}.png`, await tab.screenshot(), { mode: 0o600 });
    kept.push(`${base}.png`);
    await tab.page("veil", marks, false);
  } catch (error) {
    // A page that dies while it is being saved leaves less evidence; the failure itself is what counts.
    if (!(error instanceof Error)) throw error;
  }
  return kept;
}

/** The failure with the paths of its evidence in it. */
export function withEvidence(error: FailureError, kept: readonly string[]): FailureError {
  if (kept.length === 0) return error;
  const { failure } = error;
  return new FailureError(
    {
      ...failure,
      message: `${failure.message} Saved: ${kept.join(", ")}`,
      details: { ...failure.details, evidence: kept },
    },
    { cause: error },
  );
}

/** T-10: a snapshot every so often, numbered. `end` waits for the one that is being written. */
export class Snapshots {
  readonly #tab: Tab;
  readonly #place: EvidenceFolder;
  readonly #log: (line: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #busy = false;
  #count: number;
  readonly paths: string[] = [];

  constructor(tab: Tab, place: EvidenceFolder, log: (line: string) => void, count: number) {
    this.#tab = tab;
    this.#place = place;
    this.#log = log;
    this.#count = count;
  }

  start(everyMs: number | null): void {
    if (everyMs === null || this.#place.folder === null) return;
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
      this.paths.push(await saveHtml(this.#tab, join(this.#place.folder ?? "", name), this.#place));
      this.#count += 1;
    } catch (error) {
      this.#log(`no snapshot: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
