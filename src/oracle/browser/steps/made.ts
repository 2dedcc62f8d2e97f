// Saves what the page made for an answer: its pictures, and the files that it offers. Whatever fails here is told, and the
// answer stays what it is.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FailureError } from "../../../core/contract/index.ts";
import { RefusedError } from "../process/connect.ts";
import type { PictureLook } from "../shapes.ts";
import { rest, type Drive } from "./context.ts";
import { FileNames, endingOf } from "./made-names.ts";

/** An answer with more is a mistake of the data, or of the page. */
const mostFiles = 20;

export interface Made {
  readonly paths: readonly string[];
  /** Lines that show the pictures, for an answer that has no text of its own. */
  readonly text: string;
}

const nothing: Made = { paths: [], text: "" };

export async function saveMade(drive: Drive, folder: string | null): Promise<Made> {
  if (folder === null) return nothing;
  const target = new Target(join(folder, "files"));
  const shown: string[] = [];
  const pictures = (await drive.tab.page("pictures", drive.site.marks)).slice(0, mostFiles);
  for (const [at, picture] of pictures.entries()) {
    const got = await pictureBytes(drive, picture);
    if (got === null) {
      drive.log(`picture ${at + 1} could not be read from the page`);
      continue;
    }
    const name = target.save(`picture-${at + 1}${endingOf(got.bytes, got.type)}`, got.bytes);
    shown.push(`![${picture.alt.replaceAll(/[\]\n[]/g, " ").trim()}](files/${name})`);
  }
  await saveFiles(drive, target);
  for (const path of target.paths) drive.log(`saved ${path}`);
  return { paths: target.paths, text: shown.join("\n\n") };
}

class Target {
  readonly #folder: string;
  readonly #names = new FileNames();
  readonly paths: string[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  save(wanted: string, bytes: Buffer): string {
    if (this.paths.length === 0) mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const name = this.#names.free(wanted, this.#folder);
    const path = join(this.#folder, name);
    writeFileSync(path, bytes, { mode: 0o600, flag: "wx" });
    chmodSync(path, 0o600);
    this.paths.push(path);
    return name;
  }
}

/** From what the page has loaded, else with its own request. */
async function pictureBytes(
  { tab }: Drive,
  { url }: PictureLook,
): Promise<{ readonly bytes: Buffer; readonly type: string } | null> {
  const inline = /^data:([\w/+.-]+);base64,(.*)$/s.exec(url);
  if (inline) return { bytes: Buffer.from(inline[2] ?? "", "base64"), type: inline[1] ?? "" };
  const loaded = url.startsWith("blob:") ? null : await tab.loaded(url);
  if (loaded !== null && loaded.length > 0) return { bytes: loaded, type: "" };
  const fetched = await tab.page("bytes", url);
  return fetched === null ? null : { bytes: Buffer.from(fetched.base64, "base64"), type: fetched.type };
}

async function saveFiles(drive: Drive, target: Target): Promise<void> {
  const { tab, site, log } = drive;
  const labels = (await tab.page("fileLabels", site.marks)).slice(0, mostFiles);
  if (labels.length === 0) return;
  try {
    await tab.catchDownloads();
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return log(`${labels.length} files were not saved: ${error.message}`);
  }
  for (const [at, label] of labels.entries()) await saveOne(drive, target, at, label);
}

/** Presses the link and waits until its file is there. */
async function saveOne(drive: Drive, target: Target, at: number, label: string): Promise<void> {
  const { tab, site, log } = drive;
  const aim = await tab.page("aimFile", site.marks, at);
  if (!aim.found || aim.covered) return log(`"${label}" could not be pressed: its file was not saved`);
  await tab.press(aim);
  let idleUntil = Date.now() + site.times.fileMs;
  while (Date.now() < idleUntil) {
    await rest(site.times.pollMs, drive);
    const { files, pending, lost } = await tab.downloads();
    for (const { name, base64 } of files) target.save(name, Buffer.from(base64, "base64"));
    for (const name of lost) log(`the file "${name}" did not come, or is larger than 64 MiB`);
    if (files.length + lost.length > 0 && pending === 0) return;
    if (pending > 0) idleUntil = Date.now() + site.times.fileMs;
  }
  log(`"${label}" gave no file within ${Math.round(site.times.fileMs / 1_000)} seconds`);
}

/** An answer is not lost because a file of it is. */
export async function saveMadeOrTell(drive: Drive, folder: string | null): Promise<Made> {
  try {
    return await saveMade(drive, folder);
  } catch (error) {
    if (drive.tab.lost || !(error instanceof Error)) throw error;
    if (error instanceof FailureError && error.failure.code === "interrupted") throw error;
    drive.log(`what the page made was not saved whole: ${error.message}`);
    return nothing;
  }
}
