// The files of a request. The room that packs them is loaded when a request has files and not before.
import type { BundlePlan } from "../../bundle/index.ts";
import type { SecretOptions } from "../../../core/secrets/index.ts";
import type { RunRequest } from "../../../core/contract/transport/index.ts";
import type { BundleReport, PreparedBundle } from "../ports/index.ts";
import { splitPatterns } from "./roots.ts";

export { attachmentsOf } from "./attachments.ts";
export { splitPatterns } from "./roots.ts";

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
  // Fewer files may go out later: a file that changes while it is packed stays out.
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
