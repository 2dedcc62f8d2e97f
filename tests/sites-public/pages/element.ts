// Elements for the pages.

type Child = Node | string | null;
type Attributes = Readonly<Record<string, string | boolean | null>>;

export function element(tag: string, attributes: Attributes = {}, ...children: readonly Child[]): HTMLElement {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : value);
  made.append(...children.filter((child) => child !== null));
  return made;
}

export function button(attributes: Attributes, press: (() => void) | null, ...children: readonly Child[]): HTMLElement {
  const made = element("button", { type: "button", ...attributes }, ...children);
  if (press) made.addEventListener("click", press);
  return made;
}

/** An icon of GitHub's set: what the page shows instead of words. */
export function octicon(name: string): SVGElement {
  const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  icon.setAttribute("class", `octicon octicon-${name}`);
  icon.setAttribute("aria-hidden", "true");
  icon.setAttribute("width", "16");
  icon.setAttribute("height", "16");
  return icon;
}

/** An icon of Google's set, by the name of its glyph. */
export const matIcon = (name: string) =>
  element("mat-icon", { fonticon: name, "data-mat-icon-name": name, "aria-hidden": "true" });

export const later = (ms: number, act: () => void): void => {
  setTimeout(act, ms);
};
