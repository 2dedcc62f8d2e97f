// Wires notices to the user's configuration, the programs of the desktop and this process's terminal.
import process from "node:process";
import type { Notice, SentNotice } from "../core/contract/index.ts";
import { sendNotice } from "../platform/notice/index.ts";
import { configsOf } from "./configs.ts";
import type { Environment } from "./environment.ts";
import { userProgram } from "./user-program.ts";

/** A process that ends waits for a slow address this long. */
const limitMs = 20_000;

export async function notifyUser(
  notice: Omit<Notice, "link">,
  folder: string,
  environment: Environment,
): Promise<readonly SentNotice[]> {
  const settings = configsOf(environment).user().notify;
  if (settings === undefined) return [];
  const { page } = settings;
  const link =
    page === undefined || notice.runId === null ? null : `${page.replace(/\/+$/, "")}/#/run?id=${notice.runId}`;
  return sendNotice({ ...notice, link }, settings, {
    find: (name) => userProgram(name, folder),
    bell: process.stderr.isTTY ? () => void process.stderr.write("\u0007") : undefined,
    platform: process.platform,
    signal: AbortSignal.timeout(limitMs),
  });
}
