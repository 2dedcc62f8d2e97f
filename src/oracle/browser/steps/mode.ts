// Sends only where a message is answered in a chat. A site remembers a mode in which a message starts a task instead.
import type { PageSnapshot } from "../shapes.ts";
import { refuseStep, snapshotPage, tryPress, type Drive, type Late } from "./context.ts";
import { within } from "./picker.ts";

/** Why a message sent now would not be answered in a chat; null where it would. Pure. */
export function otherMode({ url, mode }: PageSnapshot, otherPages: readonly string[]): string | null {
  if (otherPages.some((pattern) => new RegExp(pattern).test(new URL(url).pathname)))
    return "this page belongs to a task";
  if (mode === null || mode.wanted) return null;
  return mode.target === null || mode.target === mode.label
    ? `the page is in the mode "${mode.label}"`
    : `the page is in the mode "${mode.label}" (${mode.target})`;
}

const wrongMode = (drive: Drive, why: string): Late => ({
  code: "page_blocked",
  message: `${why}, where a message starts a task; nothing was sent.`,
  remedy: `Choose the chat in a window and try again: oracle browser login ${drive.site.site}`,
});

export async function chooseMode(drive: Drive): Promise<void> {
  const { tab, site } = drive;
  const before = otherMode(await snapshotPage(drive), site.otherPages);
  if (before === null) return;
  const inChat = async () => (otherMode(await snapshotPage(drive), site.otherPages) === null ? true : null);
  let aim = await tab.page("aimMode", site.marks);
  if (!aim.found && (await tryPress(drive, "modeButton")))
    aim =
      (await within(drive, Math.min(3_000, site.times.modelMs), async () => {
        const option = await tab.page("aimMode", site.marks);
        return option.found ? option : null;
      })) ?? aim;
  if (aim.found && !aim.covered) {
    await tab.press(aim);
    if (await within(drive, site.times.modelMs, inChat)) {
      drive.log(`${before}; the chat was chosen`);
      return;
    }
  }
  return refuseStep(drive, "mode", wrongMode(drive, before));
}

/** The last look before the send: the page may have changed the mode itself. */
export function mustBeChat(drive: Drive, snapshot: PageSnapshot): void {
  const why = otherMode(snapshot, drive.site.otherPages);
  if (why !== null) refuseStep(drive, "mode", wrongMode(drive, why));
}
