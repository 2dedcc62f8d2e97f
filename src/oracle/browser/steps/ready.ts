// The page is open, somebody is logged in, and the composer can be used.
import type { PageSnapshot } from "../shapes.ts";
import { aimAt, blocked, missing, tryPress, until, type Drive, type Late } from "./context.ts";

export async function openPage(drive: Drive, url: string): Promise<void> {
  drive.log(`opening ${new URL(url).host}`);
  await drive.tab.goto(url);
}

function notReady(drive: Drive, look: PageSnapshot): Late {
  if (look.composer === null) return missing(drive, "composer");
  return missing(drive, "loggedIn");
}

/** Announcements are closed, at most this many. */
const mostAnnouncements = 3;

export async function untilReady(drive: Drive): Promise<PageSnapshot> {
  let closed = 0;
  const look = await until(drive, {
    name: "composer",
    ms: drive.site.times.composerMs,
    test: async (look) => {
      if (look.announcement && closed < mostAnnouncements && (await tryPress(drive, "announcementClose"))) {
        closed += 1;
        drive.log("closed an announcement of the site");
        return null;
      }
      return look.loaded && look.composer !== null && look.loggedIn && !look.announcement ? look : null;
    },
    late: (look) => notReady(drive, look),
  });
  if (look.dialog === null) return look;
  const aim = await aimAt(drive, "composer");
  if (aim.found && aim.covered) return blocked(drive, "composer", aim.selector);
  return look;
}

/** The old messages of a conversation that is continued are all there: none of them may be taken for ours. */
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
