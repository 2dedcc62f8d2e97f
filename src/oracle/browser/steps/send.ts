// Inserting the prompt and sending it once. Sent is what the page shows as a new message of ours, nothing else.
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
  const words = essence(head).slice(0, headLength);
  return role === "user" && createHash("sha256").update(words).digest("hex") === hash;
};

/** Our message in the conversation; null when it is not its last one of the user. Pure. */
export function ourTurn(look: PageSnapshot, hash: string): TurnLook | null {
  const last = look.turns.filter(({ role }) => role === "user").at(-1);
  return last && isOurs(last, hash) ? last : null;
}

export async function insertPrompt(drive: Drive, prompt: string): Promise<void> {
  const { tab, site } = drive;
  if (await tab.page("clearComposer", site.marks)) await tab.key("Delete", 46);
  if (!(await tab.page("focusComposer", site.marks)))
    return refuseStep(drive, "insert", missing(drive, "composer"));
  await tab.type(prompt);
  const wanted = essence(prompt);
  await until(drive, {
    name: "insert",
    ms: site.times.modelMs,
    test: (look) => (essence(look.composer?.text ?? "") === wanted ? look : null),
    late: (look) => {
      const got = essence(look.composer?.text ?? "").length;
      return {
        code: "prompt_refused",
        message: `the composer took ${got} of ${wanted.length} letters of the prompt; nothing was sent.`,
        remedy: "Shorten the prompt, or send the files as attachments: --browser-bundle-format zip",
      };
    },
  });
}

/** Waits for a send button that can be pressed: it comes when text is there and uploads are done. */
async function untilSendable(drive: Drive): Promise<void> {
  await until(drive, {
    name: "send",
    ms: drive.site.times.composerMs,
    test: (look) => (look.send?.enabled === true && !look.stop ? look : null),
    late: (look) =>
      look.send === null
        ? missing(drive, "send")
        : {
            code: "page_blocked",
            message: "the send button stays disabled; nothing was sent.",
            remedy: "Look at the saved picture of the page.",
          },
  });
}

export type Sent = { readonly sent: true; readonly look: PageSnapshot; readonly turn: TurnLook };
/** `proven`: nothing left the browser and the prompt still stands in the composer. */
export type Unsent = { readonly sent: false; readonly proven: boolean };

/** Presses once. Only when it is certain that the press had no effect at all is it repeated. */
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
  const untouched = (look: PageSnapshot) =>
    tab.traffic.sent === left && essence(look.composer?.text ?? "") === wanted && !look.stop;
  for (const end = Date.now() + site.times.sendMs; ;) {
    const look = await snapshotPage(drive);
    const turn = look.turns.filter(({ role, key }) => role === "user" && !before.has(key)).at(-1);
    const emptied = essence(look.composer?.text ?? "") === "";
    if (turn && (isOurs(turn, hash) || emptied)) return { sent: true, look, turn };
    const wall = wallOf(look, site);
    if (wall) return refuseStep(drive, "send", wall);
    if (Date.now() >= end) return { sent: false, proven: untouched(look) };
    if (untouched(look) && look.send?.enabled === true && Date.now() - pressedAt >= site.times.swallowedMs) {
      drive.log("the press of the send button had no effect; pressing again");
      await tryPress(drive, "send");
      pressedAt = Date.now();
    }
    await rest(Math.min(200, site.times.pollMs), drive);
  }
}
