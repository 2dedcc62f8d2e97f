// The files of a request, packed. The code that packs them is loaded only for a request with files.
import { existsSync } from "node:fs";
import { basename, join, relative, resolve, sep } from "node:path";
import type { RunRequest } from "../../../core/contract/transport/index.ts";
import type { SecretOptions } from "../../../core/secrets/index.ts";
import type { BundlePlan } from "../../bundle/index.ts";
import type { BundleReport, PreparedBundle } from "../ports.ts";

interface OtherPatterns {
  readonly label: string;
  readonly root: string;
  readonly patterns: readonly string[];
}

export interface Split {
  readonly own: readonly string[];
  readonly others: readonly OtherPatterns[];
}

export const isBelow = (root: string, path: string) => path === root || path.startsWith(root + sep);

/** The base name of the folder, numbered where the project has an entry of that name. */
function labelOf(cwd: string, root: string, used: ReadonlySet<string>): string {
  const name = basename(root).replaceAll(/[^\p{L}\p{N}._-]+/gu, "-") || "root";
  for (let number = 1; ; number += 1) {
    const label = number === 1 ? name : `${name}-${number}`;
    if (!used.has(label) && !existsSync(join(cwd, label))) return label;
  }
}

/** A pattern outside of the run's folder belongs to the other folder that it leads to. */
function splitPatterns({ cwd, files }: Pick<RunRequest, "cwd" | "files">): Split {
  const used = new Set<string>();
  const others = files.roots.map((root) => {
    const label = labelOf(cwd, root, used);
    used.add(label);
    return { label, root, patterns: [] as string[] };
  });
  const own = files.patterns.filter((given) => {
    const [, not = "", path = ""] = /^(!?)(.*)$/s.exec(given) ?? [];
    const target = resolve(cwd, path);
    const other = isBelow(cwd, target) ? undefined : others.find(({ root }) => isBelow(root, target));
    other?.patterns.push(not + (relative(other.root, target).split(sep).join("/") || "."));
    return other === undefined;
  });
  // An exclusion without a folder applies to every root.
  const everywhere = own.filter((pattern) => /^![^/]+$/.test(pattern));
  return {
    own,
    others: others
      .filter(({ patterns }) => patterns.some((pattern) => !pattern.startsWith("!")))
      .map((other) => ({ ...other, patterns: [...other.patterns, ...everywhere] })),
  };
}

const generatedBy = "oracle";

export async function prepareBundle(
  request: RunRequest,
  signal?: AbortSignal,
  secrets: Omit<SecretOptions, "file"> = {},
): Promise<PreparedBundle> {
  const { files } = request;
  if (files.patterns.length === 0) return noFiles(files.format);
  const stop = signal ? { signal } : {};
  const { own, others } = splitPatterns(request);
  const { manifestOf, missedIn, planBundle, writeText, writeZip } = await import("../../bundle/index.ts");
  // A file that changes while it is packed is left out, so the plan can shrink.
  let plan = await planBundle({
    root: request.cwd,
    patterns: own,
    others,
    ...(files.maxFileBytes === null ? {} : { maxFileBytes: files.maxFileBytes }),
    ...(files.maxTotalBytes === null ? {} : { maxTotalBytes: files.maxTotalBytes }),
    onSecret: request.secrets.sanitize ? "redact" : "exclude",
    secrets,
    ...stop,
  });
  return {
    get report() {
      return reportOf(plan, files.format);
    },
    get files() {
      return plan.files;
    },
    get missed() {
      return missedIn(plan);
    },
    manifest: () => manifestOf(plan, { generatedBy }),
    async text() {
      if (files.format === "zip" || plan.files.length === 0) return null;
      const written = await writeText(plan, { lineNumbers: files.lineNumbers, secrets });
      plan = written.plan;
      return written.text;
    },
    async zip(path) {
      const written = await writeZip(plan, path, { generatedBy, secrets, ...stop });
      plan = written.plan;
      return { bytes: written.bytes };
    },
  };
}

const reportOf = (plan: BundlePlan, format: BundleReport["format"]): BundleReport => ({
  format,
  fileCount: plan.files.length,
  totalBytes: plan.totalBytes,
  excluded: plan.excluded,
  secretLabels: plan.secretLabels,
  estimatedTokens: plan.estimatedTokens,
});

const noFiles = (format: BundleReport["format"]): PreparedBundle => ({
  report: { format, fileCount: 0, totalBytes: 0, excluded: [], secretLabels: [], estimatedTokens: 0 },
  files: [],
  missed: [],
  manifest: () => ({}),
  text: async () => null,
  zip: async () => ({ bytes: 0 }),
});
