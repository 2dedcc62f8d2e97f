// The message of a run without sending it: for dry runs, renderings and the report on files.
import { join } from "node:path";
import type { Preview, ResolvedRequest } from "../../../core/contract/transport/index.ts";
import { attachmentsOf } from "../files/attachments.ts";
import { inputBudget, inputCost } from "../options/models.ts";
import {
  budgetRemedy,
  estimateOf,
  leftOut,
  namedRemedy,
  overBudget,
  plannedZip,
  requestWarnings,
  zipLine,
} from "../run/message.ts";
import type { PreparedBundle, OracleRunDeps } from "../ports.ts";
import { sessionsRoot, slugFromWords } from "../sessions/folder.ts";

/** The same text for --render and --dry-run full. */
async function wholeText({ request }: ResolvedRequest, bundle: PreparedBundle, prompt: string): Promise<string> {
  if (bundle.report.fileCount === 0) return prompt;
  if (request.files.format === "zip") return `${prompt}\n\n${zipLine}`;
  return `${prompt}\n\n${(await bundle.text()) ?? ""}`;
}

export async function preview(deps: OracleRunDeps, resolved: ResolvedRequest): Promise<Preview> {
  const { request } = resolved;
  if (request.slug !== null) slugFromWords(request.slug);
  const bundle = await deps.bundle(request);
  const asked = [request.prompt, ...(request.next ?? [])].flatMap((text) => deps.redact(text).labels);
  const matches = [...new Set([...asked, ...bundle.report.secretLabels])].sort();
  const count = estimateOf(request, bundle);
  const budget = inputBudget(request.model);
  const zip = request.files.format === "zip";
  return {
    engine: request.engine,
    model: request.model,
    target: request.browser?.url ?? request.api?.baseUrl ?? `${request.api?.provider ?? "openai"} API`,
    remote: request.browser?.remote ?? null,
    effort: request.browser?.effort ?? request.api?.reasoningEffort ?? null,
    tool: request.browser?.tool ?? (request.api?.search === true ? "search" : null),
    promptChars: request.prompt.length,
    nextCount: request.next?.length ?? 0,
    bundle: {
      format: request.files.format,
      fileCount: bundle.report.fileCount,
      uncompressedBytes: bundle.report.totalBytes,
      files: bundle.files,
      excluded: bundle.report.excluded,
      plannedPath: zip ? plannedZip(join(sessionsRoot(deps.home), "<session>", "tmp")) : null,
      manifest: bundle.manifest(),
    },
    attachments: attachmentsOf(request).map(({ name, bytes, mediaType }) => ({ name, bytes, mediaType })),
    tokens: { count, exact: false, budget, inputUsd: inputCost(request, count) },
    secretScan: { status: matches.length > 0 ? "matches_detected" : "ok", matches },
    warnings: [...resolved.warnings, ...requestWarnings(request, bundle, count)],
    refusal: refusalOf(request, bundle, count, matches),
  };
}

/** Why a run with the same words would be refused, and what to do. */
function refusalOf(
  request: ResolvedRequest["request"],
  bundle: PreparedBundle,
  tokens: number,
  secrets: readonly string[],
): string | null {
  if (request.secrets.scan && secrets.length > 0) return `Secrets were found (${secrets.join(", ")}).`;
  const missing = leftOut(bundle);
  if (missing.length > 0) return `${missing.join(" ")} ${namedRemedy}`;
  const over = overBudget(request, tokens);
  return over === null ? null : `${over} ${budgetRemedy}`;
}

export async function render(deps: OracleRunDeps, resolved: ResolvedRequest): Promise<string> {
  const { request } = resolved;
  const prompt = request.secrets.keep ? request.prompt : deps.redact(request.prompt).text;
  return await wholeText(resolved, await deps.bundle(request), prompt);
}
