// The page is open, somebody is logged in, and the composer can be used.
import type { PageLook } from "../shapes.ts";
import { type Drive, type Late, missing, until } from "./context.ts";
import { aimAt, blocked, tryPress } from "./press.ts";

export async function openPage(drive: Drive, url: string): Promise<void> {
  drive.log(`opening ${new URL(url).host}`);
  await drive.tab.goto(url);
}

function notReady(drive: Drive, look: PageLook): Late {
  if (look.composer === null) return missing(drive, "composer");
  return missing(drive, "loggedIn");
}

/** Announcements are closed, at most this many. */
const mostAnnouncements = 3;

export async function untilReady(drive: Drive): Promise<PageLook> {
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
