// The data of a site: its schema, the shipped data, and the changes of the user's own file.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { fail } from "../../../core/contract/index.ts";
import { sites, type Site } from "../../../core/contract/transport/index.ts";
import { systemCode } from "../../../platform/system/index.ts";

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
  /** Between two snapshots. */
  pollMs: ms,
  /** So many snapshots in a row must show the finished marks. */
  holds: ms,
  /** The answer must not change for this long. */
  stableMs: ms,
  composerMs: ms,
  uploadMs: ms,
  /** All files of a message must be shown and not busy for this long. */
  chipStableMs: ms,
  sendMs: ms,
  /** A press of the send button without any effect may be repeated after this long. */
  swallowedMs: ms,
  modelMs: ms,
  copyMs: ms,
  /** An answer whose request is open and received data within this time is not finished. */
  flowMs: ms,
  /** After a broken stream the page has this long to recover. */
  brokenMs: ms,
});

const siteSchema = z.object({
  site: z.enum(sites),
  version: z.number().int().positive(),
  date: z.iso.date(),
  name: z.string(),
  url: z.url(),
  /** The path of one conversation, as a regular expression. */
  conversation: z.string(),
  /** URLs that mean the login was lost, as regular expressions. */
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

const overrideSchema = siteSchema
  .partial()
  .extend({ marks: marksSchema.partial().optional(), times: timesSchema.partial().optional() });

import chatgpt from "./chatgpt.json" with { type: "json" };
import copilot from "./copilot.json" with { type: "json" };
import gemini from "./gemini.json" with { type: "json" };

const shipped: Readonly<Record<Site, unknown>> = { chatgpt, copilot, gemini };

export interface LoadedSite extends SiteData {
  /** The user's file, when there is one. */
  readonly override: string | null;
}

export function loadSite(site: Site, folder: string): LoadedSite {
  const data = siteSchema.parse(shipped[site]);
  const path = join(folder, "sites", `${site}.json`);
  const text = readOwn(path);
  if (text === undefined) return { ...data, override: null };
  const parsed = overrideSchema.safeParse(parseJson(text, path));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return fail("invalid_config", `${path}: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "not accepted"}.`, {
      remedy: "Correct it or remove it; the shipped data is then used.",
    });
  }
  const { marks, times, ...rest } = parsed.data;
  return siteFrom({ ...data, ...rest, marks: { ...data.marks, ...marks }, times: { ...data.times, ...times } }, path);
}

const siteFrom = (merged: unknown, override: string): LoadedSite => ({
  ...siteSchema.parse(merged),
  override,
});

function readOwn(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return fail("invalid_config", `${path} is no JSON: ${error instanceof Error ? error.message : String(error)}.`, {
      remedy: "Correct it or remove it; the shipped data is then used.",
    });
  }
}
