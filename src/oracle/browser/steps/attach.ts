// Attaches files, then proves it: the page shows a chip with the name of each file, and none is busy.
import type { Attachment } from "../../../core/contract/transport/index.ts";
import type { ChipLook, PageSnapshot } from "../shapes.ts";
import { missing, mustPress, refuseStep, tryPress, until, type Drive } from "./context.ts";

const stemOf = (name: string) => name.replace(/\.[^.]*$/, "");
const endOf = (name: string) => (/\.[^.]*$/.exec(name)?.[0] ?? "").toLowerCase();

/** `x.md` may be shown as `x(1).md`, `x (1).md`, `a-long-na….md` or `x`. A chip without text names no file. */
export function names(chip: ChipLook, file: string): boolean {
  const stem = stemOf(file).toLowerCase();
  const end = endOf(file);
  return chip.names.some((shown) =>
    shown
      .toLowerCase()
      .split(/\s{2,}|\n|: /)
      .concat(shown.toLowerCase())
      .some((text) => namesExactly(text.trim(), stem, end)),
  );
}

function namesExactly(text: string, stem: string, end: string): boolean {
  const escaped = stem.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  if (
    new RegExp(
      `(^|[^\\p{L}\\p{N}])${escaped}(\\s?\\(\\d+\\))?(${end.replace(".", String.raw`\.`)}(?![\\p{L}\\p{N}])|$|[^\\p{L}\\p{N}.])`,
      "u",
    ).test(text)
  )
    return true;
  const cut = /^(.{4,}?)(?:…|\.\.\.)(.*)$/u.exec(text.replace(/^(remove file|file)\s+/u, ""));
  if (!cut) return false;
  const [, head = "", tail = ""] = cut;
  const whole = `${stem}${end}`;
  const ending = tail.trim().split(" ")[0] ?? "";
  return whole.startsWith(head.trim()) && (whole.endsWith(ending) || stem.endsWith(ending));
}

interface ChipState {
  readonly ready: boolean;
  /** Files without a chip. */
  readonly absent: readonly string[];
  readonly busy: boolean;
}

/** Every file has a chip of its own, no chip is busy, and there are not more chips than files. Pure. */
export function chipState(chips: readonly ChipLook[], files: readonly string[]): ChipState {
  const left = [...chips];
  const absent = files.filter((file) => {
    const at = left.findIndex((chip) => names(chip, file));
    if (at < 0) return true;
    left.splice(at, 1);
    return false;
  });
  const busy = chips.some((chip) => chip.busy);
  return { ready: absent.length === 0 && left.length === 0 && !busy, absent, busy };
}

/** Without any chip: the page's own input holds exactly our files. A disabled send button still stops the run. */
export const heldByInput = ({ chips, inputFiles }: PageSnapshot, files: readonly string[]): boolean =>
  chips.length === 0 && [...inputFiles].sort().join("\n") === [...files].sort().join("\n");

/** Chips may come late: so much longer the input alone is watched. */
const inputPatience = 4;

export async function attachFiles(drive: Drive, files: readonly Attachment[]): Promise<void> {
  if (files.length === 0) return;
  const { site, tab } = drive;
  refuseUnfit(drive, files);
  drive.log(`attaching ${files.map(({ name }) => name).join(", ")}`);
  const paths = files.map(({ path }) => path);
  const input = await tab.page("fileInput", site.marks);
  if (input) await tab.giveFiles(input.selector, input.index, paths);
  else await throughChooser(drive, paths);
  await untilAttached(
    drive,
    files.map(({ name }) => name),
  );
}

function refuseUnfit(drive: Drive, files: readonly Attachment[]): void {
  const { site } = drive;
  if (files.length > site.maxFiles)
    refuseStep(drive, "attach", {
      code: "attachment_failed",
      message: `it takes ${site.maxFiles} files in one message, and there are ${files.length}.`,
      remedy: "Send them as one ZIP: --browser-bundle-format zip",
    });
  const unfit = files.find(
    ({ name }) =>
      site.refused.includes(endOf(name)) || (site.textEnds.length > 0 && !site.textEnds.includes(endOf(name))),
  );
  if (unfit)
    refuseStep(drive, "attach", {
      code: "attachment_failed",
      message: `${unfit.name} is of a kind that does not reach the model here.`,
      remedy: "Send the files as text: --browser-bundle-format text",
    });
}

async function throughChooser(drive: Drive, paths: readonly string[]): Promise<void> {
  const { tab, site } = drive;
  let step: "attachOpener" | "attachItem" = "attachOpener";
  const given = await tab.giveToChooser(
    async () => {
      await mustPress(drive, "attachOpener");
      const end = Date.now() + site.times.modelMs;
      step = "attachItem";
      while (Date.now() < end && !(await tryPress(drive, "attachItem")))
        await new Promise((resolve) => setTimeout(resolve, 100));
    },
    paths,
    site.times.modelMs,
  );
  if (!given) refuseStep(drive, "attach", missing(drive, step));
}

async function untilAttached(drive: Drive, files: readonly string[]): Promise<void> {
  let since: number | null = null;
  let seen: PageSnapshot | null = null;
  await until(drive, {
    name: "attach",
    ms: drive.site.times.uploadMs,
    test: (snapshot) => {
      seen = snapshot;
      if (snapshot.uploadError !== null) return refuseUpload(drive, snapshot.uploadError);
      const { chipStableMs } = drive.site.times;
      const isHeld = heldByInput(snapshot, files) && !drive.tab.traffic.sending;
      if (!isHeld && !chipState(snapshot.chips, files).ready) {
        since = null;
        return null;
      }
      since ??= Date.now();
      return Date.now() - since >= chipStableMs * (isHeld ? inputPatience : 1) ? snapshot : null;
    },
    late: () => {
      const { absent, busy } = chipState(seen?.chips ?? [], files);
      const why =
        absent.length > 0 ? `no sign of ${absent.join(", ")}` : busy ? "still uploading" : "more files than ours";
      return {
        code: "attachment_failed",
        message: `the files were not ready in time (${why}); nothing was sent.`,
        remedy: "Try again, or send the files as text: --browser-bundle-format text",
      };
    },
  });
}

const refuseUpload = (drive: Drive, shown: string): never =>
  refuseStep(drive, "attach", {
    code: "attachment_failed",
    message: `the page refused a file: "${shown.slice(0, 160)}"; nothing was sent.`,
    remedy: "Send the files as text: --browser-bundle-format text",
  });
