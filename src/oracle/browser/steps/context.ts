// What every step of a driver uses: waiting for a state of the page, pressing a control, and the pages that stop a run
// (login, challenge, throttle).
import { setTimeout as pause } from "node:timers/promises";
import { fail, type FailureCode } from "../../../core/contract/index.ts";
import type { Marks } from "../marks.ts";
import type { Aim, PageSnapshot } from "../shapes.ts";
import type { BrowserMode } from "../process/protocol.ts";
import type { LoadedSite } from "../sites/load.ts";
import type { Tab } from "../tab/tab.ts";

/** The way on depends on what was refused: a browser without a window, one that nobody sees, or a person's own. */
function challengeRemedy(mode: BrowserMode, site: string): string {
  const answer = `answer it once yourself in a window: oracle browser login ${site}`;
  const own = "or use the Chrome that you use yourself: ORACLE_BROWSER_ATTACH=chrome";
  if (mode === "headless")
    return `Sites refuse a browser without a window. Unset ORACLE_BROWSER_MODE, or set it to hidden or visible; then run again. If the page still asks, ${answer}. oracle does not bypass it.`;
  if (mode === "hidden")
    return `Run with a window that you see: ORACLE_BROWSER_MODE=visible. If the page still asks, ${answer}; ${own}. oracle does not bypass it.`;
  return `To go on, ${answer}; ${own}. Or ask elsewhere: another site, or --engine api. oracle does not bypass it.`;
}

export function wallOf(snapshot: PageSnapshot, site: LoadedSite, mode: BrowserMode): Late | null {
  if (
    site.login.some((pattern) => new RegExp(pattern).test(snapshot.url)) ||
    (snapshot.loggedOut && !snapshot.loggedIn)
  )
    return {
      code: "login_required",
      message: "the user is not logged in.",
      remedy: `Log in once in a window: oracle browser login ${site.site}`,
    };
  if (snapshot.challenge)
    return {
      code: "challenge_page",
      message: "the site wants proof that a person is there.",
      remedy: challengeRemedy(mode, site.site),
    };
  if (snapshot.throttled !== null)
    return {
      code: "throttled",
      message: `the site limits requests: "${snapshot.throttled.slice(0, 160)}".`,
      remedy: "Wait and try again later, with fewer runs at once.",
    };
  return null;
}

export async function aimAt(drive: Drive, mark: keyof Marks, within: "page" | "answer" = "page"): Promise<Aim> {
  const { tab, site } = drive;
  return await tab.page("aim", site.marks[mark], within, site.marks);
}

/** False when the control does not exist. */
export async function tryPress(drive: Drive, mark: keyof Marks, within: "page" | "answer" = "page"): Promise<boolean> {
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
    message: `an unknown element covers ${selector}.`,
    remedy: `See the saved screenshot; close the element yourself in a window: oracle browser login ${drive.site.site}`,
  });
}

export interface Drive {
  readonly tab: Tab;
  readonly site: LoadedSite;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
  /** How the browser was started. */
  readonly mode: BrowserMode;
}

export const snapshotPage = async ({ tab, site }: Drive): Promise<PageSnapshot> => tab.page("look", site.marks);

export async function rest(ms: number, { signal }: Pick<Drive, "signal">): Promise<void> {
  const until = Date.now() + ms;
  while (Date.now() < until && !signal.aborted) await pause(Math.min(100, until - Date.now()));
  if (signal.aborted) fail("interrupted", "Stopped.");
}

export interface Step<T> {
  readonly name: string;
  readonly ms: number;
  /** Null while the condition does not hold yet. */
  readonly test: (snapshot: PageSnapshot) => T | null | Promise<T | null>;
  /** The failure when the condition never held. */
  readonly late: (snapshot: PageSnapshot) => Late;
}

export interface Late {
  readonly code: FailureCode;
  readonly message: string;
  readonly remedy: string;
}

/** Takes snapshots until the test holds. A login, challenge or throttle page ends the wait with its own failure. */
export async function until<T>(drive: Drive, step: Step<T>): Promise<T> {
  const end = Date.now() + step.ms;
  for (;;) {
    const snapshot = await snapshotPage(drive);
    const wall = wallOf(snapshot, drive.site, drive.mode);
    if (wall) return refuseStep(drive, step.name, wall);
    const found = await step.test(snapshot);
    if (found !== null) return found;
    if (Date.now() >= end) return refuseStep(drive, step.name, step.late(snapshot));
    await rest(drive.site.times.pollMs, drive);
  }
}

export function refuseStep({ site }: Drive, step: string, { code, message, remedy }: Late): never {
  return fail(code, `${site.name}: ${message}`, { remedy, details: { site: site.site, step } });
}

/** A selector finds nothing: the site has changed. The failure names the entry of the site data. */
export function missing({ site }: Drive, mark: keyof Marks): Late {
  return {
    code: "page_changed",
    message: `step "${mark}": none of the selectors holds any more (${site.marks[mark].join(" | ")}; data version ${site.version} of ${site.date}).`,
    remedy: `See which part changed with: oracle browser check ${site.site}. Report it with: oracle browser report`,
  };
}
