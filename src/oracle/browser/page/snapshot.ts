// The page as a file: its visible structure without scripts, styles, typed secrets, tokens and addresses with queries.
import type { Marks } from "../shapes.ts";

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

export function snapshot(): string {
  const copy = document.documentElement.cloneNode(true) as Element;
  for (const element of copy.querySelectorAll(dropped)) element.remove();
  clean(copy);
  for (const element of copy.querySelectorAll("*")) clean(element);
  return `<!doctype html>\n<!-- ${cleanAddress(location.href)} -->\n${copy.outerHTML}\n`;
}

const veilId = "thehood-veil";

/** Pictures cannot be redacted like text: the account, images and what is typed into fields are hidden for the moment. */
export function veil(marks: Marks, on: boolean): void {
  document.getElementById(veilId)?.remove();
  if (!on) return;
  const style = document.createElement("style");
  style.id = veilId;
  style.textContent = `${[...marks.loggedIn, "img", "input"].join(",")} { visibility: hidden !important; }`;
  document.head.append(style);
}
