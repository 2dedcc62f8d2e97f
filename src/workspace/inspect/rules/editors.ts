// Files that editors and development containers run by opening a folder.
import { isRecord } from "../../../core/contract/index.ts";
import { shown, type ReportFinding } from "../finding.ts";
import { everyKey, field, list, presence, readJsonFile, type FileRule } from "./file-rule.ts";

const trust = "Open the folder in restricted mode, or remove the entry.";

function reportTasks(text: string, report: ReportFinding): void {
  const value = readJsonFile(text);
  const tasks = field(value, "tasks") ?? field(field(value, "tasks"), "tasks");
  const found = Array.isArray(tasks)
    ? tasks
    : Array.isArray(field(tasks, "tasks"))
      ? (field(tasks, "tasks") as unknown[])
      : [];
  for (const task of found.slice(0, 500)) {
    const automatic = field(field(task, "runOptions"), "runOn") === "folderOpen";
    if (automatic)
      report({
        kind: "editor",
        severity: "high",
        what: `task on opening the folder: ${shown(field(task, "command") ?? field(task, "script") ?? field(task, "label"))}`,
        why: "run by the editor when the folder is opened and trusted",
        remedy: trust,
      });
  }
}

const programKeys = /(path|command|executable|interpreter|binary|server|shell|args|nodepath|tsdk|run(time)?)$/i;
const settingWords =
  /(executable|interpreter|\.path$|path$|nodePath|tsdk|automationProfile|shell\.(linux|osx|windows)|profiles\.(linux|osx|windows)|env\.(linux|osx|windows)|server\.(path|command)|\.command$|git\.path|customCommand)/i;

function reportSettings(text: string, report: ReportFinding): void {
  const value = readJsonFile(text);
  for (const [key, inner] of Object.entries(isRecord(value) ? value : {}).slice(0, 2000)) {
    if (key === "task.allowAutomaticTasks" && inner === "on")
      report({
        kind: "editor",
        severity: "high",
        what: `${key}: on`,
        why: "tasks of the folder run without a question",
        remedy: trust,
      });
    else if (/autoApprove|autoAccept|yolo/i.test(key) && inner !== false)
      report({
        kind: "agent_permission",
        severity: "high",
        what: `${shown(key)}: ${shown(inner)}`,
        why: "the editor's agent asks no more",
        remedy: trust,
      });
    else if (
      settingWords.test(key) &&
      programKeys.test(key.split(".").at(-1) ?? "") &&
      /[./\\]/.test(JSON.stringify(inner) ?? "")
    )
      report({
        kind: "editor",
        severity: "medium",
        what: `${shown(key)}: ${shown(inner)}`,
        why: "the editor starts this program instead of the usual one",
        remedy: trust,
      });
  }
}

const onHost = new Set(["initializeCommand"]);
const inside = new Set([
  "onCreateCommand",
  "updateContentCommand",
  "postCreateCommand",
  "postStartCommand",
  "postAttachCommand",
]);

function reportContainer(text: string, report: ReportFinding): void {
  const value = readJsonFile(text);
  for (const [keys, severity, why] of [
    [onHost, "high", "run on your own machine, outside the container, before it is built"],
    [inside, "medium", "run inside the container with whatever was mounted into it"],
  ] as const)
    everyKey(value, keys, (key, command) =>
      report({
        kind: "devcontainer",
        severity,
        what: `${key}: ${shown(command)}`,
        why,
        remedy: "Read it before you reopen the folder in a container.",
      }),
    );
  everyKey(value, new Set(["mounts", "runArgs", "privileged", "dockerComposeFile"]), (key, inner) => {
    if (/docker\.sock|privileged|--cap-add|\/:|source=\/|localEnv:HOME/.test(JSON.stringify(inner) ?? ""))
      report({
        kind: "devcontainer",
        severity: "medium",
        what: `${key}: ${shown(inner)}`,
        why: "the container reaches your machine",
        remedy: "Check what it is given.",
      });
  });
}

const jetbrains = (text: string, report: ReportFinding) => {
  const commands = [
    ...text.matchAll(/(?:program|scriptText|SCRIPT_TEXT|command|arguments)"?\s*(?:value)?="([^"]{1,300})"/g),
  ].map((found) => found[1] ?? "");
  report({
    kind: "editor",
    severity: "medium",
    what: `tools of the project${commands.length > 0 ? `: ${list(commands)}` : ""}`,
    why: "file watchers, external tools and start-up tasks run by the IDE once the project is trusted",
    remedy: trust,
  });
};

export const editorRules: readonly FileRule[] = [
  { path: /(^|\/)\.vscode\/tasks\.json$/, look: reportTasks },
  {
    path: /\.code-workspace$/,
    look: (text, report) => (
      reportTasks(text, report),
      reportSettings(JSON.stringify(field(readJsonFile(text), "settings") ?? {}), report)
    ),
  },
  { path: /(^|\/)\.vscode\/settings\.json$/, look: reportSettings },
  // Advice and texts to insert: nothing is installed or run without a question.
  { path: /(^|\/)\.vscode\/(extensions\.json|[\w.-]+\.code-snippets)$/, look: () => undefined },
  { path: /(^|\/)\.devcontainer(\/([^/]+\/)?devcontainer)?\.json$/, look: reportContainer },
  { path: /(^|\/)\.idea\/(watcherTasks|startup|tools\/[^/]+|externalDependencies)\.xml$/, look: jetbrains },
  { path: /(^|\/)\.idea\/runConfigurations\/[^/]+\.xml$/, look: jetbrains },
  presence(
    /(^|\/)\.(exrc|nvimrc|nvim\.lua|vimrc|lvimrc|vim\/.+)$/,
    "editor",
    "medium",
    "a configuration of vim",
    "run by vim with `exrc`, or by a plug-in that loads it",
  ),
  {
    path: /(^|\/)\.dir-locals(-2)?\.el$/,
    look: (text, report) => {
      if (/\beval\b/.test(text))
        report({
          kind: "editor",
          severity: "medium",
          what: `evaluates code: ${shown(text)}`,
          why: "run by Emacs when a file of the folder is opened and the variables are trusted",
          remedy: trust,
        });
    },
  },
  presence(
    /(^|\/)\.(gdbinit|lldbinit)$/,
    "editor",
    "medium",
    "commands for a debugger",
    "run by the debugger when it is started here",
  ),
  {
    path: /(^|\/)\.(replit|gitpod\.yml)$/,
    look: (text, report) =>
      report({
        kind: "editor",
        severity: "low",
        what: `commands of a hosted workspace: ${shown(text)}`,
        why: "run when the folder is opened there",
        remedy: "Read it before you open the folder there.",
      }),
  },
];
