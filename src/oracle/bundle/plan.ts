// The plan of a bundle: every file selected, opened, judged and hashed once. Nothing is written.
import { realpathSync } from "node:fs";
import { fail } from "../../core/contract/index.ts";
import { redact } from "../../core/secrets/index.ts";
import { targetAt } from "../../platform/system/index.ts";
import { judgeFileContent } from "./read/content.ts";
import { createOpener, type FileOpener } from "./read/open.ts";
import { selectFiles } from "./select/select.ts";
import {
  bundleLimits,
  type BundlePlan,
  type BundleRequest,
  type BundledFile,
  type Excluded,
  type ExclusionReason,
  type Wanted,
} from "./shapes.ts";

export interface Missed {
  readonly given: string;
  /** A glob that matched files, none of which is sent. */
  readonly glob: boolean;
  readonly reason: ExclusionReason | "no_file";
}

/** The name on one line, redacted. */
const shown = (given: string): string => JSON.stringify(redact(given).text).slice(1, -1);

export function missedIn(plan: BundlePlan): Missed[] {
  const sent = new Set(plan.files.map(({ path }) => path));
  const open = plan.wanted.filter(({ paths }) => !paths.some((path) => sent.has(path)));
  if (open.length === 0) return [];
  const reasons = new Map(plan.excluded.map(({ path, reason }) => [path, reason]));
  return open.flatMap((wanted) => {
    const reason = reasonOf(wanted, reasons);
    // The caller's own `!pattern` left it out.
    return reason === "excluded_by_pattern" ? [] : [{ given: shown(wanted.given), glob: wanted.glob, reason }];
  });
}

/** The first reason that the caller did not ask for. Names with a secret are listed redacted. */
function reasonOf({ paths, held }: Wanted, reasons: ReadonlyMap<string, ExclusionReason>): Missed["reason"] {
  const found = paths.flatMap((path) => reasons.get(path) ?? reasons.get(redact(path).text) ?? []);
  return found.find((reason) => reason !== "excluded_by_pattern") ?? held ?? found[0] ?? "no_file";
}

/** Source code has about four bytes a token (measured 3.9 to 4.2 on sets of 57 kB to 28 MB). */
const bytesPerToken = 4;

export async function planBundle(request: BundleRequest): Promise<BundlePlan> {
  let plan = await planRoot(request);
  for (const other of request.others ?? []) {
    const { root, patterns, label } = other;
    const left = Math.max(0, plan.limits.maxTotalBytes - plan.totalBytes);
    plan = joined(plan, await planRoot({ ...request, root, patterns, maxTotalBytes: left }), label);
  }
  return plan;
}

/** Two plans as one: the files of the second are listed under its label. */
function joined(plan: BundlePlan, other: BundlePlan, label: string): BundlePlan {
  const files = other.files.map((file) => ({
    ...file,
    path: `${label}/${file.path}`,
    from: { root: other.root, path: file.path },
  }));
  const excluded = other.excluded.map(({ path, reason }) => ({ path: `${label}/${path}`, reason }));
  return {
    ...plan,
    files: [...plan.files, ...files],
    excluded: [...plan.excluded, ...excluded],
    secretLabels: [...new Set([...plan.secretLabels, ...other.secretLabels])].sort(),
    totalBytes: plan.totalBytes + other.totalBytes,
    estimatedTokens: plan.estimatedTokens + other.estimatedTokens,
    newestChange: Math.max(plan.newestChange, other.newestChange),
    wanted: [
      ...plan.wanted,
      ...other.wanted.map((one) => ({
        ...one,
        given: `${label}/${one.given}`,
        paths: one.paths.map((path) => `${label}/${path}`),
      })),
    ],
    patterns: [...plan.patterns, ...other.patterns.map((pattern) => `${label}/${pattern}`)],
  };
}

async function planRoot(request: BundleRequest): Promise<BundlePlan> {
  const root = rootOf(request.root);
  const limits = {
    maxFileBytes: request.maxFileBytes ?? bundleLimits.maxFileBytes,
    maxTotalBytes: request.maxTotalBytes ?? bundleLimits.maxTotalBytes,
  };
  const onSecret = request.onSecret ?? "exclude";
  const selection = await selectFiles(root, request.patterns, request.signal);
  const excluded: Excluded[] = [...selection.excluded];
  const labels = new Set<string>();
  const files: BundledFile[] = [];
  let totalBytes = 0;
  let newestChange = 0;
  using opener = createOpener(root);
  for (const path of selection.paths) {
    if (request.signal?.aborted) fail("interrupted", "The bundle was stopped before it was complete.");
    const judged = judgeFile(opener, path, limits.maxFileBytes, request);
    for (const label of judged.labels) labels.add(label);
    if ("refused" in judged) {
      excluded.push({ path, reason: judged.refused });
      continue;
    }
    files.push(judged.file);
    totalBytes += judged.file.bytes;
    newestChange = Math.max(newestChange, judged.changed);
    if (totalBytes > limits.maxTotalBytes) tooLarge(files, selection.paths.length, limits.maxTotalBytes);
  }
  const estimatedTokens = files.reduce((sum, { tokens }) => sum + tokens, 0);
  // The list of excluded files is sent too, so its names are redacted.
  const named = excluded.map(({ path, reason }) => ({ path: redact(path, request.secrets).text, reason }));
  named.sort((a, b) => (a.path < b.path ? -1 : 1));
  const secretLabels = [...labels].sort();
  return {
    root,
    files,
    excluded: named,
    secretLabels,
    totalBytes,
    estimatedTokens,
    newestChange,
    limits,
    patterns: request.patterns,
    wanted: selection.wanted,
    onSecret,
  };
}

type Outcome =
  | { readonly file: BundledFile; readonly changed: number; readonly labels: readonly string[] }
  | { readonly refused: Excluded["reason"]; readonly labels: readonly string[] };

function judgeFile(opener: FileOpener, path: string, maxBytes: number, request: BundleRequest): Outcome {
  const opened = opener.open(path);
  if ("refused" in opened) return { ...opened, labels: [] };
  try {
    if (opened.stats.size > maxBytes) return { refused: "too_large", labels: [] };
    const redacting = request.onSecret === "redact";
    const judged = judgeFileContent(opened.fd, opened.stats, { ...request.secrets, file: path }, redacting);
    if ("refused" in judged) return { ...judged, labels: [] };
    const { bytes, sha256, labels } = judged;
    if (labels.length > 0 && !redacting) return { refused: "secret_content", labels };
    const file: BundledFile = {
      path,
      bytes,
      sha256,
      tokens: Math.ceil(bytes / bytesPerToken),
      ...(labels.length > 0 ? { redacted: true as const } : {}),
      ...(opened.stats.nlink > 1 ? { hardlink: true as const } : {}),
    };
    return { file, changed: opened.stats.mtimeMs, labels };
  } finally {
    opened.close();
  }
}

function rootOf(given: string): string {
  const stats = targetAt(given);
  if (stats?.isDirectory()) return realpathSync(given);
  return fail("not_found", `${given} is not a folder.`, {
    remedy: "Run the command in the folder that holds the files.",
  });
}

function tooLarge(files: readonly BundledFile[], selected: number, limit: number): never {
  const largest = [...files].sort((a, b) => b.bytes - a.bytes).slice(0, 10);
  const names = largest.map(({ path, bytes }) => `${path} (${bytes} bytes)`).join(", ");
  return fail("invalid_input", `The selected files hold more than ${limit} bytes together. Largest: ${names}.`, {
    remedy: "Leave some of them out with !pattern, or raise the limit with --max-total-size.",
    details: {
      reason: "total_too_large",
      limit,
      selected,
      largest: largest.map(({ path, bytes }) => ({ path, bytes })),
    },
  });
}
