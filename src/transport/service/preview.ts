// What a run would send, without sending: for dry runs, renderings and the report on files.
import { join } from "node:path";
import type { Preview, Resolved } from "../../contract/transport/index.ts";
import { inputBudget } from "../options/models.ts";
import { plannedZip, zipLine } from "../run/message.ts";
import type { PreparedBundle, RunWorld } from "../ports/index.ts";
import { sessionsRoot } from "../sessions/folder.ts";

/** A token is about four characters of a prompt; files are estimated by the bundle itself. */
const charsPerToken = 4;

/** One and the same text for --render, --dry-run full and the exact count. */
async function wholeText({ request }: Resolved, bundle: PreparedBundle, prompt: string): Promise<string> {
  if (bundle.report.fileCount === 0) return prompt;
  if (request.files.format === "zip") return `${prompt}\n\n${zipLine}`;
  return `${prompt}\n\n${(await bundle.text()) ?? ""}`;
}

function warningsFor(resolved: Resolved, bundle: PreparedBundle, tokens: number, budget: number): string[] {
  const warnings = [...resolved.warnings];
  if (tokens > budget) {
    const largest = [...bundle.files].sort((a, b) => b.tokens - a.tokens).slice(0, 5);
    const names = largest.map(({ path, tokens: cost }) => `${path} (${cost})`).join(", ");
    warnings.push(
      `About ${tokens} tokens are more than the ${budget} that suit ${resolved.request.model}.${names ? ` Largest files: ${names}.` : ""}`,
    );
  }
  return warnings;
}

export async function preview(world: RunWorld, resolved: Resolved, exact: boolean): Promise<Preview> {
  const { request } = resolved;
  const bundle = await world.bundle(request);
  const scanned = world.redact(request.prompt);
  const matches = [...new Set([...scanned.labels, ...bundle.report.secretLabels])].sort();
  const estimate = Math.ceil(request.prompt.length / charsPerToken) + bundle.report.estimatedTokens;
  const count = exact
    ? await world.countTokens(await wholeText(resolved, bundle, request.prompt), request.model)
    : estimate;
  const budget = inputBudget(request.model);
  const zip = request.files.format === "zip";
  return {
    engine: request.engine,
    model: request.model,
    target: request.browser?.url ?? request.api?.baseUrl ?? `${request.api?.provider ?? "openai"} API`,
    promptChars: request.prompt.length,
    bundle: {
      format: request.files.format,
      fileCount: bundle.report.fileCount,
      uncompressedBytes: bundle.report.totalBytes,
      files: bundle.files,
      excluded: bundle.report.excluded,
      plannedPath: zip ? plannedZip(join(sessionsRoot(world.home), "<session>", "tmp")) : null,
      manifest: bundle.manifest(),
    },
    tokens: { count, exact, budget },
    secretScan: { status: matches.length > 0 ? "matches_detected" : "ok", matches },
    warnings: warningsFor(resolved, bundle, count, budget),
  };
}

export async function render(world: RunWorld, resolved: Resolved): Promise<string> {
  const { request } = resolved;
  const prompt = request.secrets.sanitize ? world.redact(request.prompt).text : request.prompt;
  return await wholeText(resolved, await world.bundle(request), prompt);
}
