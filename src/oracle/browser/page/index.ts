// Page code: runs in a world of its own inside our tab, where the site's scripts cannot see it. Answers are plain data.
import type { Marks, PageCode, Probe } from "../shapes.ts";
import {
  aim,
  aimOption,
  capture,
  clearComposer,
  element,
  fileInput,
  focusComposer,
  openFolded,
  options,
  probeOne,
} from "./act.ts";
import { snapshotDom } from "./page-state.ts";
import { snapshot, veil } from "./snapshot.ts";

/** The lists of selectors; the rest of the marks are words. */
const words = new Set(["turnKey", "placeholder", "challengeTitle", "throttleText"]);

function probe(marks: Marks): Probe[] {
  return Object.entries(marks)
    .filter(([name]) => !words.has(name))
    .map(([name, selectors]) => probeOne(name, selectors as readonly string[]));
}

const code: PageCode = {
  look: snapshotDom,
  aim,
  aimOption,
  capture,
  clearComposer,
  element,
  fileInput,
  focusComposer,
  openFolded,
  options,
  snapshot,
  veil,
  probe,
};
Object.assign(globalThis, { thehoodPage: code });
