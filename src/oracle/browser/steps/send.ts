// Inserts the prompt and sends it once. It counts as sent only when the page shows it as a new message.
import { createHash } from "node:crypto";
import type { PageSnapshot, TurnLook } from "../shapes.ts";
import {
  aimAt,
  blocked,
  missing,
  refuseStep,
  rest,
  snapshotPage,
  tryPress,
  until,
  wallOf,
  type Drive,
} from "./context.ts";

/** Letters and digits only: pages render, wrap and trim the rest. */
export const essence = (text: string): string => text.normalize("NFC").replaceAll(/[^\p{L}\p{N}]+/gu, "");

const headLength = 80;

export const promptHash = (prompt: string): string =>
  createHash("sha256")
    .update(essence(prompt.slice(0, 2_000)).slice(0, headLength))
    .digest("hex");

const isOurs = ({ role, head }: TurnLook, hash: string): boolean => {
  const start = essence(head).slice(0, headLength);
  return role === "user" && createHash("sha256").update(start).digest("hex") === hash;
};

/** The sent message, when it is the last one of the user in the conversation; else null. Pure. */
export function ourTurn(snapshot: PageSnapshot, hash: string): TurnLook | null {
  const last = snapshot.turns.filter(({ role }) => role === "user").at(-1);
  return last && isOurs(last, hash) ? last : null;
}

export async function insertPrompt(drive: Drive, prompt: string): Promise<void> {
  const { tab, site } = drive;
  if (await tab.page("clearComposer", site.marks)) await tab.key("Delete", 46);
  if (!(await tab.page("focusComposer", site.marks))) return refuseStep(drive, "insert", missing(drive, "composer"));
  await tab.type(prompt);
  const wanted = essence(prompt);
  await until(drive, {
    name: "insert",
    ms: site.times.modelMs,
    test: (snapshot) => (essence(snapshot.composer?.text ?? "") === wanted ? snapshot : null),
    late: (snapshot) => {
      const got = essence(snapshot.composer?.text ?? "").length;
      return {
        code: "prompt_refused",
        message: `the composer took ${got} of ${wanted.length} letters of the prompt; nothing was sent.`,
        remedy: "Shorten the prompt, or send the files as attachments: --browser-bundle-format zip",
      };
    },
  });
}

/** Waits for an enabled send button: it needs text and finished uploads. */
async function untilSendable(drive: Drive): Promise<void> {
  await until(drive, {
    name: "send",
    ms: drive.site.times.composerMs,
    test: (snapshot) => (snapshot.send?.enabled === true && !snapshot.stop ? snapshot : null),
    late: (snapshot) =>
      snapshot.send === null
        ? missing(drive, "send")
        : {
            code: "page_blocked",
            message: "the send button stays disabled; nothing was sent.",
            remedy: "See the saved screenshot of the page.",
          },
  });
}

export type Sent = { readonly sent: true; readonly snapshot: PageSnapshot; readonly turn: TurnLook };
/** `proven`: nothing was sent, and the prompt is still in the composer. */
type Unsent = { readonly sent: false; readonly proven: boolean };

/** Presses once, and again only when it is certain that the press had no effect. */
export async function pressSend(
  drive: Drive,
  prompt: string,
  before: ReadonlySet<string>,
  announce: () => Promise<void>,
): Promise<Sent | Unsent> {
  const { tab, site } = drive;
  await untilSendable(drive);
  const aim = await aimAt(drive, "send");
  if (aim.covered) return blocked(drive, "send", aim.selector);
  await announce();
  const hash = promptHash(prompt);
  const wanted = essence(prompt);
  const left = tab.traffic.sent;
  await tryPress(drive, "send");
  let pressedAt = Date.now();
  const untouched = (snapshot: PageSnapshot) =>
    tab.traffic.sent === left && essence(snapshot.composer?.text ?? "") === wanted && !snapshot.stop;
  for (const end = Date.now() + site.times.sendMs; ;) {
    const snapshot = await snapshotPage(drive);
    const turn = snapshot.turns.filter(({ role, key }) => role === "user" && !before.has(key)).at(-1);
    const emptied = essence(snapshot.composer?.text ?? "") === "";
    if (turn && (isOurs(turn, hash) || emptied)) return { sent: true, snapshot, turn };
    const wall = wallOf(snapshot, site, drive.mode);
    if (wall) return refuseStep(drive, "send", wall);
    if (Date.now() >= end) return { sent: false, proven: untouched(snapshot) };
    if (untouched(snapshot) && snapshot.send?.enabled === true && Date.now() - pressedAt >= site.times.swallowedMs) {
      drive.log("the press of the send button had no effect; pressing again");
      await tryPress(drive, "send");
      pressedAt = Date.now();
    }
    await rest(Math.min(200, site.times.pollMs), drive);
  }
}
