// The command that a person types for a suggestion. Only this file has these commands.
import { type GateAnswer, type Suggestion, spellAll } from "../../core/contract/index.ts";

type Answering = Extract<Suggestion, { suggest: "answer" }>;

const commands = {
  status: "status",
  show: "show",
  watch: "watch",
  continue: "continue",
  recheck: "recheck",
  report: "report",
  reconcile: "reconcile",
  abort: "abort",
  commit: "commit",
  undo: "undo",
  verify_log: "log verify",
} as const;

const answers: Readonly<Record<GateAnswer, { readonly command: string; readonly flags?: string }>> = {
  approve: { command: "approve" },
  remember: { command: "approve", flags: "--remember" },
  accept: { command: "approve", flags: "--accept" },
  retry: { command: "approve", flags: "--retry" },
  extend: { command: "approve" },
  revise: { command: "revise", flags: '--message "…"' },
  reject: { command: "reject" },
  abort: { command: "abort" },
};

/** The budget that is added, or how it would be said when no amount is known. */
function extension({ answer, addTokens, addMinutes, addAnswers, addUsd }: Answering): string | undefined {
  if (addTokens !== undefined) return `--add-tokens ${addTokens}`;
  if (addMinutes !== undefined) return `--add-minutes ${addMinutes}`;
  if (addAnswers !== undefined) return `--add-answers ${addAnswers}`;
  if (addUsd !== undefined) return `--add-usd ${addUsd}`;
  return answer === "extend" ? "--add-tokens N or --add-minutes N" : undefined;
}

/** The gate or the hash of its text is named, so that another one is never meant. */
function spellAnswer(suggestion: Answering): string {
  const { answer, runId, gateId, phrase, shown } = suggestion;
  const { command, flags } = answers[answer];
  return [
    "thehood",
    command,
    runId,
    gateId === undefined || shown !== undefined ? undefined : `--gate ${gateId}`,
    shown === undefined ? undefined : `--shown ${shown}`,
    flags,
    extension(suggestion),
    phrase === undefined || phrase === null ? undefined : `--message "${phrase}"`,
  ]
    .filter((part) => part !== undefined)
    .join(" ");
}

export function spell(suggestion: Suggestion): string {
  switch (suggestion.suggest) {
    case "answer":
      return spellAnswer(suggestion);
    case "artifact":
      return `thehood show ${suggestion.runId} --artifact ${suggestion.ref.slice(7, 19)}`;
    case "logs":
      return `thehood show ${suggestion.runId} --log`;
    case "assign_role": {
      const { role, runId } = suggestion;
      return `thehood roles set ${role ?? "ROLE"} provider:model${runId === null ? "" : ` --run ${runId}`}`;
    }
    case "models":
    case "workers":
      return `thehood ${suggestion.suggest}`;
    default:
      return `thehood ${commands[suggestion.suggest]} ${suggestion.runId}`;
  }
}

/** One line of JSON for `--json`: suggestions in it stand as the commands that they are. */
export const jsonLine = (value: object): string => `${JSON.stringify(spellAll(value, spell))}\n`;
