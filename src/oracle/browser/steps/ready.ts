// Opens the page and waits until the user is logged in and the composer can be used.
import type { PageSnapshot } from "../shapes.ts";
import { aimAt, blocked, missing, tryPress, until, type Drive, type Late } from "./context.ts";

export async function openPage(drive: Drive, url: string): Promise<void> {
  drive.log(`opening ${new URL(url).host}`);
  await drive.tab.goto(url);
}

function notReady(drive: Drive, snapshot: PageSnapshot): Late {
  if (snapshot.composer === null) return missing(drive, "composer");
  return missing(drive, "loggedIn");
}

/** At most so many announcements are closed. */
const mostAnnouncements = 3;

export async function untilReady(drive: Drive): Promise<PageSnapshot> {
  let closed = 0;
  const snapshot = await until(drive, {
    name: "composer",
    ms: drive.site.times.composerMs,
    test: async (snapshot) => {
      if (snapshot.announcement && closed < mostAnnouncements && (await tryPress(drive, "announcementClose"))) {
        closed += 1;
        drive.log("closed an announcement of the site");
        return null;
      }
      return snapshot.loaded && snapshot.composer !== null && snapshot.loggedIn && !snapshot.announcement
        ? snapshot
        : null;
    },
    late: (snapshot) => notReady(drive, snapshot),
  });
  if (snapshot.dialog === null) return snapshot;
  const aim = await aimAt(drive, "composer");
  if (aim.found && aim.covered) return blocked(drive, "composer", aim.selector);
  return snapshot;
}

/** Waits until all old messages of a continued conversation are shown, so that none is taken for the new one. */
export async function untilHistory(drive: Drive): Promise<void> {
  let seen = -1;
  let since = 0;
  await until(drive, {
    name: "history",
    ms: drive.site.times.composerMs,
    test: ({ turns, stop }) => {
      if (turns.length !== seen || stop) [seen, since] = [turns.length, Date.now()];
      return turns.length > 0 && Date.now() - since >= drive.site.times.stableMs ? turns : null;
    },
    late: () => missing(drive, "turn"),
  });
}
