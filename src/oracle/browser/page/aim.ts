// Where to press an element: its middle, and whether another element covers that point.
import type { Aim } from "../shapes.ts";

export const nowhere: Aim = { found: false, covered: false, x: 0, y: 0, selector: "" };

export function aimAt(element: Element, selector: string): Aim {
  element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const box = element.getBoundingClientRect();
  const x = box.left + box.width / 2;
  const y = box.top + box.height / 2;
  const top = document.elementFromPoint(x, y);
  const covered = top === null || !(element.contains(top) || top.contains(element));
  return { found: true, covered, x, y, selector };
}
