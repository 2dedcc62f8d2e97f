// The control that sets how long the model thinks: a slider that takes the arrow keys.
import type { Marks } from "../marks.ts";
import type { EffortLook } from "../shapes.ts";
import { every, isVisible, labelText } from "./find.ts";

function controlOf(marks: Marks): Element | undefined {
  return every(document, marks.effortControl).find(
    (element) => isVisible(element) && element.closest("[inert]") === null && sliderOf(element) !== null,
  );
}

const sliderOf = (control: Element): Element | null =>
  control.matches("[role=slider]") ? control : control.querySelector("[role=slider]");

/** "High, 3 of 5. Use Left and Right …" begins with the label. */
const labelOf = (text: string): string => (text.split(/[,，、.。]/)[0] ?? "").trim();

function describedBy(element: Element): string {
  const ids = (element.getAttribute("aria-describedby") ?? "").split(/\s+/).filter((id) => id !== "");
  return ids.map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
}

export function effort(marks: Marks): EffortLook | null {
  const control = controlOf(marks);
  const slider = control && sliderOf(control);
  if (!control || !slider) return null;
  const view = control.closest("[data-testid*='simple-view']") ?? control.parentElement ?? control;
  const text = describedBy(control) || describedBy(slider) || slider.getAttribute("aria-valuetext") || labelText(view);
  return {
    label: labelOf(text),
    at: Number(slider.getAttribute("aria-valuenow") ?? "0"),
    max: Number(slider.getAttribute("aria-valuemax") ?? "0"),
  };
}

/** The arrow keys go to the control itself, or to the nearest part around it that takes the focus. */
export function focusEffort(marks: Marks): boolean {
  const control = controlOf(marks);
  const target = control?.closest<HTMLElement>("[tabindex]:not([tabindex='-1'])") ?? control;
  if (!(target instanceof HTMLElement)) return false;
  target.focus();
  return document.activeElement === target;
}
