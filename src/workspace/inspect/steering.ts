// Files that steer a program or an agent by the table of the patch judge, where no rule of this room looks into them.
import { classifyPath, type PathKind } from "../../core/patch/index.ts";
import type { FindingKind, ReportFinding } from "./finding.ts";

const reported: Partial<Record<PathKind, { readonly kind: FindingKind; readonly what: string; readonly why: string }>> =
  {
    agent: {
      kind: "agent_instructions",
      what: "a file for a coding agent",
      why: "an agent that works here follows it",
    },
    editor: {
      kind: "editor",
      what: "settings of an editor",
      why: "an editor that opens the folder takes them over",
    },
    hook: { kind: "hook_manager", what: "a git hook or its manager", why: "run by git once it is installed" },
    registry: {
      kind: "package_config",
      what: "settings of a package manager",
      why: "taken over by every install",
    },
    environment: {
      kind: "shell_environment",
      what: "code or settings for a tool that starts here",
      why: "loaded by a shell, a debugger or a tool that is started in the folder",
    },
    container: {
      kind: "devcontainer",
      what: "a container for development",
      why: "built and started by an editor that opens the folder",
    },
    runner: {
      kind: "build_config",
      what: "a file that replaces a module of an interpreter or a runner",
      why: "loaded by its name by whatever is started in this folder",
    },
    dependency: {
      kind: "build_config",
      what: "a loader of packages",
      why: "loaded before the project's own code",
    },
  };
/** Kinds that are reported only for their content, or by design not at all. */
const quiet: ReadonlySet<PathKind> = new Set(["ci", "manifest", "state", "git", "test", "fixture", "lockfile"]);

/** Most files are deep and have ordinary names: matching the whole table against each of them would take seconds. */
const mayBeReported = (path: string): boolean =>
  path.startsWith(".") ||
  path.includes("/.") ||
  path.split("/", 3).length < 3 ||
  /\/(?:[^/]+\.(?:pth|md|cfg|conf|config|code-workspace|sublime-project)|[^/.]+|(?:mcp|opencode|crush|nodemon|cdk|devbox|greptile|gemini)[\w-]*\.jsonc?)$/i.test(
    path,
  );

export function reportSteering(path: string, report: ReportFinding): void {
  if (!mayBeReported(path)) return;
  const { executes, kinds } = classifyPath(path);
  const forAgents = kinds.includes("agent");
  if (!executes || (!forAgents && kinds.some((kind) => quiet.has(kind)))) return;
  const found = kinds.map((kind) => reported[kind]).find((one) => one !== undefined);
  if (found) report({ ...found, severity: "low", remedy: "Read it before you let anything run here." });
}
