// Text outside the sections: prose and mail headers before them, a mail signature or a remark behind them.
// Nothing there may look like a change, because git would skip what a reader sees.
import type { Cursor } from "./cursor.ts";
import { looksExtended } from "./extended.ts";

/** `front`: before the first section. `hunks`, `other`: behind a section. `signature`: behind `-- `. `lost`: after a problem. */
export type GapPlace = "front" | "hunks" | "other" | "signature" | "lost";

const at = 0x40;
const version = /^\d+\.\d+[\w.+() -]*$/;
const mailStart = /^From [0-9a-f]{40} /;

export function readGapLine(cursor: Cursor, place: GapPlace): GapPlace {
  const plain = place === "lost" || (place === "front" && cursor.text.charCodeAt(cursor.at) !== at);
  if (plain) {
    cursor.skip();
    return place;
  }
  const line = cursor.peek();
  const next = judgeLine(cursor, line, place);
  cursor.skip();
  return next;
}

function judgeLine(cursor: Cursor, line: string, place: GapPlace): GapPlace {
  if (place === "front") {
    if (line.startsWith("@@@ -")) cursor.problem("combined_diff", "A combined diff (@@@) cannot be applied");
    else if (line.startsWith("@@ -"))
      cursor.problem("no_diff_header", "A hunk stands before any diff --git header");
    return place;
  }
  if (mailStart.test(line)) return "front";
  if (line === "") return place;
  if (place === "signature" && version.test(line)) return place;
  if (line === "-- ") return "signature";
  if (line.startsWith("@@")) {
    cursor.problem("hunk_header_malformed", "A hunk stands outside any section");
    return "lost";
  }
  const change = /^[ +\-\\]/.test(line);
  if (change && place !== "other") {
    cursor.problem("hunk_count_mismatch", "Lines of a change follow a hunk whose numbers do not count them");
    return "lost";
  }
  if (change || looksExtended(line) || line === "GIT binary patch" || /^(?:literal|delta) \d/.test(line)) {
    cursor.problem("patch_malformed", `"${line.slice(0, 60)}" stands outside any section`);
    return "lost";
  }
  return place;
}
