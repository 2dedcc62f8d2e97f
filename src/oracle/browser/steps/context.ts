// The context of every step of a driver, and how a step waits: look, decide, look again, until its time is over.
import { setTimeout as pause } from "node:timers/promises";
import { fail, type FailureCode } from "../../../core/contract/index.ts";
import type { Aim, Marks, PageSnapshot } from "../shapes.ts";
import type { LoadedSite } from "../sites/load.ts";
import type { Tab } from "../tab/tab.ts";

export function wallOf(look: PageSnapshot, site: LoadedSite): Late | null {
  if (site.login.some((pattern) => new RegExp(pattern).test(look.url)) || (look.loggedOut && !look.loggedIn))
    return {
      code: "login_required",
      message: "nobody is logged in.",
      remedy: `Log in once in a window: oracle browser login ${site.site}`,
    };
  if (look.challenge)
    return {
      code: "challenge_page",
      message: "the site wants proof that a person is there.",
      remedy: `Answer it yourself in a window: oracle browser login ${site.site}. It is not got round.`,
    };
  if (look.throttled !== null)
    return {
      code: "throttled",
      message: `the site limits requests: "${look.throttled.slice(0, 160)}".`,
      remedy: "Wait and try again later, with fewer runs at once.",
    };
  return null;
}

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

export interface Drive {
  readonly tab: Tab;
  readonly site: LoadedSite;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

export const snapshotPage = async ({ tab, site }: Drive): Promise<PageSnapshot> =>
  tab.page("look", site.marks);

export async function rest(ms: number, { signal }: Pick<Drive, "signal">): Promise<void> {
  const until = Date.now() + ms;
  while (Date.now() < until && !signal.aborted) await pause(Math.min(100, until - Date.now()));
  if (signal.aborted) fail("interrupted", "Stopped.");
}

export interface Step<T> {
  readonly name: string;
  readonly ms: number;
  /** Null while it is not so yet. */
  readonly test: (look: PageSnapshot) => T | null | Promise<T | null>;
  /** The message when it never was. */
  readonly late: (look: PageSnapshot) => Late;
}

export interface Late {
  readonly code: FailureCode;
  readonly message: string;
  readonly remedy: string;
}

/** Looks until the test holds. A wall (login, challenge, throttle) ends the wait with its own failure. */
export async function until<T>(drive: Drive, step: Step<T>): Promise<T> {
  const end = Date.now() + step.ms;
  for (;;) {
    const look = await snapshotPage(drive);
    const wall = wallOf(look, drive.site);
    if (wall) return refuseStep(drive, step.name, wall);
    const found = await step.test(look);
    if (found !== null) return found;
    if (Date.now() >= end) return refuseStep(drive, step.name, step.late(look));
    await rest(drive.site.times.pollMs, drive);
  }
}

export function refuseStep({ site }: Drive, step: string, { code, message, remedy }: Late): never {
  return fail(code, `${site.name}: ${message}`, { remedy, details: { site: site.site, step } });
}

/** A selector that finds nothing: the site has changed, and the failure says which entry of its data no longer holds. */
export function missing({ site }: Drive, mark: keyof Marks): Late {
  return {
    code: "page_changed",
    message: `step "${mark}": none of the selectors holds any more (${site.marks[mark].join(" | ")}; data version ${site.version} of ${site.date}).`,
    remedy: `Look which part changed with: oracle browser check ${site.site}. Report it with: oracle browser report`,
  };
}
