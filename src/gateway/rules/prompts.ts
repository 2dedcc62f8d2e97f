// The prompts, as pure functions. Each begins with the preamble, also before a prompt of the user.
import { kindOf, promptMode, type SessionFacts, type SessionKind } from "./session.ts";
import { places } from "./tools.ts";

const secretsText = [
  `Variables of this session are in ${places.envJson}. Read single keys (jq -r '.KEY' ${places.envJson}); never print the file, and never write a value into source, logs or messages.`,
  "Never ask for the raw API keys of an integration that is connected: use it through `proliferate actions` (`proliferate actions list` names them).",
];

const limits: Readonly<Record<SessionKind, readonly string[]>> = {
  setup: [
    "You must not edit source files. Configuration and env files may be changed.",
    "The session ends only after verify and save_snapshot were both called and succeeded.",
  ],
  coding: ["The user's instructions outrank your defaults, but not the rules of this section."],
  automation: ["End the run with one call of the tool automation_complete, also when you could not do the work."],
  scratch: ["There is no repository in this session. To work on one, the user starts another session in it."],
};

export function safetyPreamble(kind: SessionKind): string {
  return lines("# Rules that always hold", ...bullets([...secretsText, ...limits[kind]]));
}

export function setupPrompt(repoName: string | null): string {
  return lines(
    `# Setting up ${named(repoName)}`,
    "You prepare the environment of this project until it works: installing alone is not enough. The user watches.",
    ...bullets([
      "Work without help and do not skip the hard parts. Prefer local services (PostgreSQL, Redis, mail catcher) over outside ones.",
      "Do not edit source files. Configuration and env files are fine.",
      "Ask for variables with one call of request_env_variables; mark doubtful keys as required: false. The user answers with `thehood gateway answer` or on the session's page.",
      "Record env files with save_env_files, so that later sessions generate them. They are taken out of snapshots and are put back.",
      "Record commands that you saw work with save_service_commands. Long processes belong in the background.",
      `Prove that it works: put screenshots and logs into ${places.evidence} and call verify.`,
      "At the end call save_snapshot. The user can save one too, with `thehood gateway snapshots --save` or on the session's page.",
    ]),
  );
}

export function codingPrompt(repoName: string | null): string {
  return lines(
    `# Working on ${named(repoName)}`,
    "You are a careful software engineer in a sandbox of your own, with a shell and the whole repository.",
    ...bullets([
      "Understand first, change little, run the tests, commit in small steps.",
      `Collect evidence (test output, screenshots) in ${places.evidence} and call verify when the work is done.`,
      "Call save_snapshot when the state is worth coming back to.",
      "End with a short summary: the change, the proof, the things left open.",
    ]),
  );
}

/** The coding prompt and the duty to complete the run. The model sees the tool under the name of its file. */
export function automationPrompt(repoName: string | null, runId: string | null): string {
  return lines(
    codingPrompt(repoName),
    "# Completing the run",
    "No person watches this session. You must end the run by calling automation_complete exactly once.",
    ...bullets([
      ...(runId === null
        ? []
        : [`run_id is ${runId}; completion_id is ${completionIdOf(runId)}. Use both as they are.`]),
      "outcome is succeeded, failed or needs_human; add summary_markdown and citations that prove it.",
      "Call it as the last thing: the sandbox is stopped afterwards.",
    ]),
  );
}

export function scratchPrompt(): string {
  return lines(
    "# A session without a repository",
    `Work in ${places.workspace}. A session with a repository is started there with: thehood gateway new`,
    ...bullets([`Collect evidence in ${places.evidence} and call verify when the user wants proof.`]),
  );
}

const environmentNotes = lines(
  "# This environment",
  `The workspace is ${places.workspace}. Logs of services are in ${places.serviceLogs}.`,
  "The network may be closed: only the gateway and the model are reachable unless the user opened more.",
);

const completionIdOf = (runId: string): string => `run:${runId}:completion:v1`;

function modePrompt(session: SessionFacts): string {
  if (session.configurationId === null) return scratchPrompt();
  const { repoName } = session;
  return {
    setup: () => setupPrompt(repoName),
    automation: () => automationPrompt(repoName, session.runId),
    coding: () => codingPrompt(repoName),
  }[promptMode(session)]();
}

const mostOverride = 60_000;

/** The text for the model: the preamble, then the session's prompt or the prompt of its mode, then the notes. */
export function systemPrompt(session: SessionFacts): string {
  const own = session.systemPrompt?.trim().slice(0, mostOverride);
  return [safetyPreamble(kindOf(session)), own || modePrompt(session), environmentNotes].join("\n\n");
}

const named = (repoName: string | null): string => repoName ?? "this project";
const bullets = (items: readonly string[]): string[] => items.map((item) => `- ${item}`);
function lines(...all: readonly string[]): string {
  return all.join("\n");
}
