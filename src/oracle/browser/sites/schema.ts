// The data file of a site: version, date, selectors, labels, marks and times. A user's own file changes single entries.
import { z } from "zod";
import { sites } from "../../../core/contract/transport/index.ts";

const list = z.array(z.string());

const marksSchema = z.object({
  composer: list,
  send: list,
  stop: list,
  stopExcept: list,
  turn: list,
  turnKey: list,
  user: list,
  assistant: list,
  body: list,
  userText: list,
  done: list,
  idle: list,
  busy: list,
  placeholder: list,
  copy: list,
  collapsed: list,
  codeNoise: list,
  turnModel: list,
  fileInput: list,
  attachOpener: list,
  attachItem: list,
  chip: list,
  chipScope: list,
  chipBusy: list,
  uploadError: list,
  modelButton: list,
  modelOption: list,
  modelSubmenu: list,
  loggedIn: list,
  loggedOut: list,
  challenge: list,
  challengeTitle: list,
  dialog: list,
  throttleText: list,
  announcement: list,
  announcementClose: list,
  errorBanner: list,
});

const ms = z.number().int().positive();

const timesSchema = z.object({
  /** Between two looks. */
  pollMs: ms,
  /** So many looks in a row must see the finished marks. */
  holds: ms,
  /** The answer must not change for this long. */
  stableMs: ms,
  composerMs: ms,
  uploadMs: ms,
  /** All files of a message must be there and quiet for this long. */
  chipStableMs: ms,
  sendMs: ms,
  /** A press of the send button that nothing followed may be repeated after this long. */
  swallowedMs: ms,
  modelMs: ms,
  copyMs: ms,
  /** An answer whose request is open and brought something within this time is not finished. */
  flowMs: ms,
  /** After the stream broke the page has this long to recover by itself. */
  brokenMs: ms,
});

export const siteSchema = z.object({
  site: z.enum(sites),
  version: z.number().int().positive(),
  date: z.iso.date(),
  name: z.string(),
  url: z.url(),
  /** The path of one conversation, as a regular expression. */
  conversation: z.string(),
  /** Addresses that mean the login was lost, as regular expressions. */
  login: list,
  /** Names a caller may use, and the labels the page has for them. */
  models: z.record(z.string(), list),
  maxFiles: ms,
  /** File name ends that reach the model; empty where all do. Others are sent with `.txt` added. */
  textEnds: list,
  /** File name ends that the page does not take. */
  refused: list,
  marks: marksSchema,
  times: timesSchema,
});
export type SiteData = z.infer<typeof siteSchema>;

export const overrideSchema = siteSchema
  .partial()
  .extend({ marks: marksSchema.partial().optional(), times: timesSchema.partial().optional() });
