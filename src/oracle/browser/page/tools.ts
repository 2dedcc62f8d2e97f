// The menu of tools beside the composer, and what is chosen in it.
import type { Marks } from "../marks.ts";
import type { Aim } from "../shapes.ts";
import { aimAt, nowhere } from "./aim.ts";
import { every, isVisible, labelText } from "./find.ts";

const items = (marks: Marks): Element[] => every(document, marks.toolItem).filter(isVisible);

export const toolLabels = (marks: Marks): string[] => items(marks).map(labelText);

export function aimTool(marks: Marks, at: number): Aim {
  const element = items(marks)[at];
  return element ? aimAt(element, "toolItem") : nowhere;
}

export const chosenTools = (marks: Marks): string[] =>
  every(document, marks.toolChosen)
    .filter(isVisible)
    .flatMap((element) => [
      labelText(element),
      ...[element, ...element.querySelectorAll("[aria-label]")].map((part) => part.getAttribute("aria-label") ?? ""),
    ])
    .filter((label) => label !== "");
