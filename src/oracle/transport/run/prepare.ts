// The message of a run before it is sent: packed, scanned, counted, and refused where a secret must stop it (T-23 to T-26).
import type { EngineMessage, PreviewFile, RunRequest } from "../../../core/contract/transport/index.ts";
import { sendingLine } from "../options/models.ts";
import type { OracleRunDeps } from "../ports.ts";
import type { ResultBuilder } from "../result/draft.ts";
import { writeJson } from "../sessions/atomic-file.ts";
import type { LiveRecord } from "../sessions/record.ts";
import {
  budgetRemedy,
  composeMessage,
  estimateOf,
  estimateText,
  leftOut,
  namedRemedy,
  overBudget,
  requestWarnings,
} from "./message.ts";
import type { RunDeadline } from "./deadline.ts";

export interface Preparing {
  readonly request: RunRequest;
  readonly deps: OracleRunDeps;
  readonly live: LiveRecord;
  readonly log: (line: string) => void;
  readonly draft: ResultBuilder;
  readonly stop: RunDeadline;
  readonly enter: (stage: string) => void;
  /** The length of the conversation that is continued. */
  readonly earlierChars: number;
}

const listed = ({ path, bytes, tokens }: PreviewFile) => ({ path, bytes, tokens });

export async function prepareMessage(preparing: Preparing): Promise<EngineMessage | "refused"> {
  const { request, deps, live, log, draft, stop } = preparing;
  const scanned = deps.redact(request.prompt);
  // The texts of later messages are scanned now, while the run can still be stopped.
  const later = deps.redact([request.diff.followupPrompt ?? "", ...(request.next ?? [])].join("\n\n"));
  preparing.enter("bundling");
  const bundle = await deps.bundle(request, stop.signal);
  draft.bundle = bundle.report;
  for (const warning of requestWarnings(request, bundle)) {
    draft.warn(warning);
    log(`warning: ${warning}`);
  }
  const labels = [...scanned.labels, ...later.labels, ...bundle.report.secretLabels];
  if (secretsStop(preparing, [...new Set(labels)].sort())) return "refused";
  if (namedStop(preparing, leftOut(bundle))) return "refused";
  stop.check();
  const prompt = request.secrets.keep ? request.prompt : scanned.text;
  const message = await composeMessage(request, prompt, bundle, live);
  // Read after packing: a file that changed meanwhile is left out.
  draft.bundle = bundle.report;
  if (namedStop(preparing, leftOut(bundle))) return "refused";
  if (request.files.patterns.length > 0)
    writeJson(live.folder.bundle, { ...bundle.report, files: bundle.files.map(listed) });
  const tokens = estimateOf(request, bundle) + estimateText(preparing.earlierChars);
  const over = overBudget(request, tokens);
  if (over !== null) {
    const error = { code: "invalid_input", message: `${over} Nothing was sent.`, remedy: budgetRemedy } as const;
    draft.set({ status: "error", error });
    return "refused";
  }
  log(sendingLine(request, tokens, bundle.report.fileCount + request.files.attachments.length));
  draft.set({ promptChars: message.prompt.length });
  return message;
}

/** A file that the user named is sent, or the run is refused: an answer without it would be paid for nothing. */
function namedStop({ draft }: Preparing, missing: readonly string[]): boolean {
  if (missing.length === 0) return false;
  draft.set({
    status: "error",
    error: {
      code: "invalid_input",
      message: `${missing.join(" ")} Nothing was sent.`,
      remedy: namedRemedy,
    },
  });
  return true;
}

/** Reports labels, never values. True when the user wants no run with secrets. */
function secretsStop({ request, draft, log }: Preparing, matches: string[]): boolean {
  draft.set({ secretScan: { status: matches.length > 0 ? "matches_detected" : "ok", matches } });
  if (matches.length === 0) return false;
  log(`secrets found: ${matches.join(", ")}`);
  if (!request.secrets.scan) {
    log(request.secrets.keep ? "they are sent as they are (--no-sanitize-prompt)" : "they are not sent");
    return false;
  }
  draft.set({
    status: "secret_detected",
    error: {
      code: "secret_detected",
      message: `Secrets were found (${matches.join(", ")}); nothing was sent.`,
      remedy: "Take them out of the prompt and the files, or leave --secret-scan out: they are then replaced.",
    },
  });
  return true;
}
