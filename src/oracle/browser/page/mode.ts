// What the page does with a message: answers it in a chat, or starts a task. Sites remember the last choice.
import type { Marks } from "../marks.ts";
import type { Aim, ModeLook } from "../shapes.ts";
import { anyMatch, every, firstVisible, isVisible, labelText } from "./find.ts";
import { aimAt, nowhere } from "./aim.ts";

const isChecked = (element: Element): boolean =>
  element.getAttribute("aria-checked") === "true" || element.getAttribute("data-state") === "checked";

/** Radio buttons and open menu rows with a label of a known mode. */
function modeOptions(marks: Marks): { element: Element; wanted: boolean }[] {
  const rows = marks.modeButton.length > 0 ? ["[role=menuitemradio]", "[role=menuitem]"] : [];
  return every(document, [...marks.modeOption, ...rows])
    .filter(isVisible)
    .flatMap((element): { element: Element; wanted: boolean }[] => {
      const label = labelText(element);
      if (anyMatch(label, marks.modeWanted)) return [{ element, wanted: true }];
      return anyMatch(label, marks.modeUnwanted) ? [{ element, wanted: false }] : [];
    });
}

/** Where nothing names the mode, a target alone means a task. */
export function modeLook(marks: Marks): ModeLook | null {
  const shown = firstVisible(document, marks.modeTarget)?.element;
  const target = shown === undefined ? null : (shown.getAttribute("aria-label") ?? labelText(shown));
  const button = firstVisible(document, marks.modeButton)?.element;
  if (button) {
    const label = labelText(button);
    return { label, wanted: anyMatch(label, marks.modeWanted), target };
  }
  const chosen = modeOptions(marks).find(({ element }) => isChecked(element));
  if (chosen) return { label: labelText(chosen.element), wanted: chosen.wanted, target };
  return target === null ? null : { label: target, wanted: false, target };
}

export function aimMode(marks: Marks): Aim {
  const wanted = modeOptions(marks).find((option) => option.wanted);
  return wanted ? aimAt(wanted.element, "the mode that answers in a chat") : nowhere;
}
