// Pressing a control that must be there, be visible, and have nothing over it.
import type { Aim, Marks } from "../shapes.ts";
import { type Drive, missing, refuseStep } from "./context.ts";

export async function aimAt(
  drive: Drive,
  mark: keyof Marks,
  within: "page" | "answer" = "page",
): Promise<Aim> {
  const { tab, site } = drive;
  return await tab.page("aim", site.marks[mark], within, site.marks);
}

/** False when it is not there. */
export async function tryPress(
  drive: Drive,
  mark: keyof Marks,
  within: "page" | "answer" = "page",
): Promise<boolean> {
  const aim = await aimAt(drive, mark, within);
  if (!aim.found || aim.covered) return false;
  await drive.tab.press(aim);
  return true;
}

export async function mustPress(drive: Drive, mark: keyof Marks): Promise<void> {
  const aim = await aimAt(drive, mark);
  if (!aim.found) return refuseStep(drive, mark, missing(drive, mark));
  if (aim.covered) return blocked(drive, mark, aim.selector);
  await drive.tab.press(aim);
}

export function blocked(drive: Drive, step: string, selector: string): never {
  return refuseStep(drive, step, {
    code: "page_blocked",
    message: `something lies over ${selector} and is no announcement that we know.`,
    remedy: `Look at the saved picture; close it yourself in a window: oracle browser login ${drive.site.site}`,
  });
}
