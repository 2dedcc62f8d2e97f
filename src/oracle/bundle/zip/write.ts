// Writes a context package as a ZIP, with nothing of this machine in it. The written file is read back and compared with
// its manifest.
import { closeSync, fstatSync, openSync, rmSync } from "node:fs";
import { setImmediate as immediately } from "node:timers/promises";
import { FailureError } from "../../../core/contract/index.ts";
import { bytesOf, FileChangedError, steadily } from "../pass.ts";
import { createOpener } from "../read/open.ts";
import type { BundlePlan, BundleRequest } from "../shapes.ts";
import { excludedOf, type Manifest, manifestOf, packageFolder, type PackageOptions, readmeOf } from "./package.ts";
import { verifyPackage } from "./read-back.ts";
import { ZipWriter } from "./writer.ts";

interface ZipOptions extends PackageOptions {
  readonly secrets?: BundleRequest["secrets"];
  readonly signal?: AbortSignal;
}

interface WrittenZip {
  readonly path: string;
  readonly bytes: number;
  readonly manifest: Manifest;
  readonly plan: BundlePlan;
}

/** Creates the file at `path`, which must not exist. After a failure the file is removed. */
export async function writeZip(plan: BundlePlan, path: string, options: ZipOptions): Promise<WrittenZip> {
  const { result } = await steadily(plan, async (now) => await attempt(now, path, options));
  return result;
}

async function attempt(plan: BundlePlan, path: string, options: ZipOptions): Promise<WrittenZip> {
  const manifest = manifestOf(plan, options);
  let fd: number | undefined;
  try {
    fd = openSync(path, "wx", 0o600);
    await addEntries(new ZipWriter(fd), plan, manifest, options);
    await verifyPackage(path, manifest);
    return { path, bytes: fstatSync(fd).size, manifest, plan };
  } catch (error) {
    if (fd !== undefined) rmSync(path, { force: true });
    throw explained(error, path, options.signal);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Yields to other work of the process at this interval. */
const turnMs = 50;

async function addEntries(zip: ZipWriter, plan: BundlePlan, manifest: Manifest, options: ZipOptions): Promise<void> {
  using opener = createOpener(plan.root);
  const document = async (name: string, text: string) => {
    const bytes = Buffer.from(text);
    await zip.add(`${packageFolder}/${name}`, bytes.length, [bytes]);
  };
  await document("CONTEXT_PACKAGE.md", readmeOf(manifest, plan.excluded.length));
  await document("manifest.json", `${JSON.stringify(manifest, null, 2)}\n`);
  await document("excluded-files.json", `${JSON.stringify(excludedOf(plan.excluded), null, 2)}\n`);
  let turn = performance.now();
  for (const file of plan.files) {
    const content = bytesOf(plan, file, options.secrets, opener);
    await zip.add(`${packageFolder}/files/${file.path}`, file.bytes, content);
    if (options.signal?.aborted) throw new Error("stopped");
    if (performance.now() - turn < turnMs) continue;
    await immediately();
    turn = performance.now();
  }
  zip.finish();
}

function explained(error: unknown, path: string, signal: AbortSignal | undefined): unknown {
  if (error instanceof FileChangedError) return error;
  if (signal?.aborted)
    return new FailureError({
      code: "interrupted",
      message: "Packing was stopped; the unfinished ZIP was removed.",
    });
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "EEXIST") {
    const remedy = "Remove it, or name another path.";
    return new FailureError({ code: "invalid_input", message: `${path} exists already.`, remedy });
  }
  if (code !== "ENOSPC" && code !== "EDQUOT" && code !== "EFBIG") return error;
  const message = `There is no room left for ${path}; the unfinished ZIP was removed.`;
  const remedy = "Free some space, or leave files out with !pattern.";
  return new FailureError({ code: "store_full", message, remedy });
}
