// Notices to the user: what is sent when a gate begins to wait and when a run has ended, and where the user wants it.
import { z } from "zod";

const address = z
  .string()
  .regex(/^https?:\/\/\S+$/, "must be an address that begins with https:// or http://")
  .max(2_000);

/** Only the user's own file holds it. */
export const noticeSettings = z.strictObject({
  /** A notification on the desktop. */
  desktop: z.boolean().optional(),
  /** A bell in the terminal of the process that works. */
  bell: z.boolean().optional(),
  /** Gets one JSON object by POST. */
  webhook: address.optional(),
  /** A topic that takes plain text by POST, as ntfy does. */
  push: address.optional(),
  /** A program of the user's with its arguments; it gets the JSON object on its standard input. */
  command: z.array(z.string().min(1).max(2_000)).min(1).max(50).optional(),
  /** The address at which the user opens the page, for links. */
  page: address.optional(),
});
export type NoticeSettings = z.infer<typeof noticeSettings>;

export interface Notice {
  readonly event: "gate" | "end" | "test";
  readonly runId: string | null;
  readonly title: string;
  readonly text: string;
  /** The next command. */
  readonly next: string;
  /** The run on the user's page. */
  readonly link: string | null;
}

/** One way that a notice was sent by. */
export interface SentNotice {
  readonly by: "desktop" | "bell" | "webhook" | "push" | "command";
  readonly sent: boolean;
  readonly problem: string | null;
}
