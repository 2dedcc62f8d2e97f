// Writes a context package as a ZIP: deflated, file after file, with nothing of this machine in it. The written file is
// read back and compared with its manifest before it counts.
import { createWriteStream, rmSync } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ZipFile } from "yazl";
import { fail } from "../../contract/index.ts";
import { bytesOf, ChangedFile, steadily } from "../pass.ts";
import { createOpener, type Opener } from "../read/open.ts";
import type { BundlePlan, BundleRequest } from "../shapes.ts";
import {
  excludedOf,
  type Manifest,
  manifestOf,
  packageFolder,
  type PackageOptions,
  readmeOf,
} from "./package.ts";
import { verifyPackage } from "./verify.ts";

export interface ZipOptions extends PackageOptions {
  readonly secrets?: BundleRequest["secrets"];
  readonly signal?: AbortSignal;
}

export interface WrittenZip {
  readonly path: string;
  readonly bytes: number;
  readonly manifest: Manifest;
  readonly plan: BundlePlan;
}

/** 1 January 1980 by the fields of the format, in whatever time zone: ZIP knows none. */
const plain = { mtime: new Date(1980, 0, 1), mode: 0o100644, forceDosTimestamp: true };

/** Makes the file at `path`, which must not exist. After a failure nothing is left there. */
export async function writeZip(plan: BundlePlan, path: string, options: ZipOptions): Promise<WrittenZip> {
  const { result } = await steadily(plan, async (now) => await attempt(now, path, options));
  return result;
}

async function attempt(plan: BundlePlan, path: string, options: ZipOptions): Promise<WrittenZip> {
  const manifest = manifestOf(plan, options);
  const { ZipFile } = await import("yazl");
  const zip = new ZipFile();
  using opener = createOpener(plan.root);
  const out = createWriteStream(path, { flags: "wx", mode: 0o600 });
  let made = false;
  out.once("open", () => (made = true));
  try {
    const stopped = new Promise<never>((_, reject) => zip.once("error", reject));
    const written = pipeline(zip.outputStream, out, options.signal ? { signal: options.signal } : {});
    addEntries(zip, plan, manifest, options, opener);
    await Promise.race([written, stopped]);
    await verifyPackage(path, manifest);
    return { path, bytes: (await stat(path)).size, manifest, plan };
  } catch (error) {
    out.destroy();
    if (made) rmSync(path, { force: true });
    throw explained(error, path, options.signal);
  }
}

function addEntries(
  zip: ZipFile,
  plan: BundlePlan,
  manifest: Manifest,
  options: ZipOptions,
  opener: Opener,
): void {
  const document = (name: string, text: string) =>
    zip.addBuffer(Buffer.from(text), `${packageFolder}/${name}`, plain);
  document("CONTEXT_PACKAGE.md", readmeOf(manifest, plan.excluded.length));
  document("manifest.json", `${JSON.stringify(manifest, null, 2)}\n`);
  document("excluded-files.json", `${JSON.stringify(excludedOf(plan.excluded), null, 2)}\n`);
  for (const file of plan.files) {
    const name = `${packageFolder}/files/${file.path}`;
    zip.addReadStreamLazy(name, { ...plain, size: file.bytes }, (give) => {
      const source = Readable.from(bytesOf(plan, file, options.secrets, opener), { objectMode: false });
      source.once("error", (error) => zip.emit("error", error));
      give(null, source);
    });
  }
  zip.end();
}

function explained(error: unknown, path: string, signal: AbortSignal | undefined): unknown {
  if (error instanceof ChangedFile) return error;
  if (signal?.aborted)
    return failure(() => fail("interrupted", "Packing was stopped; the unfinished ZIP was removed."));
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "EEXIST")
    return failure(() =>
      fail("invalid_input", `${path} exists already.`, { remedy: "Remove it, or name another path." }),
    );
  if (code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG")
    return failure(() =>
      fail("store_full", `There is no room left for ${path}; the unfinished ZIP was removed.`, {
        remedy: "Free some space, or leave files out with !pattern.",
      }),
    );
  return error;
}

function failure(make: () => never): unknown {
  try {
    return make();
  } catch (error) {
    return error;
  }
}
