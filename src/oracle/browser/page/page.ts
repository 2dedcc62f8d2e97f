// Page code: runs in an isolated JavaScript world of the tab, invisible to the site's scripts. Results are plain data.
import type { Marks } from "../marks.ts";
import type { PageCode, Probe } from "../shapes.ts";
import * as act from "./act.ts";
import { effort, focusEffort } from "./effort.ts";
import { aimFile, bytes, fileLabels, pictures } from "./made.ts";
import { aimMode } from "./mode.ts";
import { report } from "./report.ts";
import { aimTool, chosenTools, toolLabels } from "./tools.ts";
import { suggest } from "./suggest.ts";
import { snapshotDom } from "./page-state.ts";

const dropped = "script,style,link,noscript,iframe,object,embed,meta,template,audio,video,source,picture,img";
const keptAttributes =
  /^(id|class|role|type|name|title|alt|disabled|hidden|contenteditable|accept|multiple|placeholder|href|data-.+|aria-.+)$/;
const secretAttributes = /token|nonce|secret|csrf|auth|session|key$/i;

function cleanAddress(value: string): string {
  return value.replace(/[?#].*$/, "");
}

function clean(element: Element): void {
  for (const name of element.getAttributeNames())
    if (!keptAttributes.test(name) || secretAttributes.test(name)) element.removeAttribute(name);
  const href = element.getAttribute("href");
  if (href !== null) element.setAttribute("href", cleanAddress(href));
  if (element instanceof HTMLInputElement) element.removeAttribute("value");
}

function snapshot(): string {
  const copy = document.documentElement.cloneNode(true) as Element;
  for (const element of copy.querySelectorAll(dropped)) element.remove();
  clean(copy);
  for (const element of copy.querySelectorAll("*")) clean(element);
  return `<!doctype html>\n<!-- ${cleanAddress(location.href)} -->\n${copy.outerHTML}\n`;
}

const veilId = "thehood-veil";

/** A screenshot cannot be redacted like text: the account, images and typed values are hidden while it is taken. */
function veil(marks: Marks, on: boolean): void {
  document.getElementById(veilId)?.remove();
  if (!on) return;
  const style = document.createElement("style");
  style.id = veilId;
  style.textContent = `${[...marks.loggedIn, "img", "input"].join(",")} { visibility: hidden !important; }`;
  document.head.append(style);
}

/** Marks that hold texts; every other mark is a list of selectors. */
const textMarks = new Set([
  "turnKey",
  "turnModelAttr",
  "placeholder",
  "preamble",
  "challengeTitle",
  "throttleText",
  "errorText",
  "modeWanted",
  "modeUnwanted",
  "reportFrame",
  "reportDone",
  "reportNoise",
]);

function probe(marks: Marks): Probe[] {
  return Object.entries(marks)
    .filter(([name]) => !textMarks.has(name))
    .map(([name, selectors]) => act.probeOne(name, selectors as readonly string[]));
}

const code: PageCode = {
  look: snapshotDom,
  ...act,
  effort,
  focusEffort,
  aimMode,
  toolLabels,
  aimTool,
  chosenTools,
  report,
  pictures,
  bytes,
  fileLabels,
  aimFile,
  snapshot,
  veil,
  probe,
  suggest,
};
Object.assign(globalThis, { thehoodPage: code });
