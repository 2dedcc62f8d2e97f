// A report that stands in a frame of the page: whole when the frame says so for as long as an answer must hold.
import type { ReportLook } from "../shapes.ts";
import type { SiteData } from "../sites/load.ts";

export interface ReportSeen {
  readonly report: ReportLook;
  /** Its text changed since the last look. */
  readonly isNew: boolean;
  readonly isProved: boolean;
}

export class ReportWatch {
  readonly #times: SiteData["times"];
  #text = "";
  #since = 0;
  #holds = 0;

  constructor(times: SiteData["times"]) {
    this.#times = times;
  }

  /** Null while there is no frame of a report: then the turn itself holds the answer, e.g. a question back. */
  take(found: readonly ReportLook[], now: number): ReportSeen | null {
    const [report] = found.toSorted((left, right) => right.markdown.length - left.markdown.length);
    if (report === undefined) return null;
    const isNew = report.markdown !== this.#text;
    if (isNew) [this.#text, this.#since, this.#holds] = [report.markdown, now, 0];
    this.#holds = report.done && report.markdown !== "" ? this.#holds + 1 : 0;
    return { report, isNew, isProved: this.#holds >= this.#times.holds && now - this.#since >= this.#times.stableMs };
  }
}
