// Names of files that act by being names: programs that shadow real ones, names that read as options, names that a terminal obeys.
import { shown, type ReportFinding } from "./finding.ts";

const shadow = /^(git|node|npm|npx|python3?|py|pip|bash|sh|make|cargo|go|code|cmd|powershell)\.(exe|cmd|bat|com|ps1)$/i;

export function reportOddName(path: string, name: string, report: ReportFinding): void {
  if (!path.includes("/") && shadow.test(name))
    report({
      kind: "build_config",
      severity: "high",
      what: `a program named ${shown(name)}`,
      why: "Windows starts it instead of the real one when a tool is called in this folder",
      remedy: "Remove it.",
    });
  if (name.startsWith("-"))
    report({
      kind: "hidden_text",
      severity: "medium",
      what: `a name that reads as an option: ${shown(name)}`,
      why: "a command with a star takes it as one of its options",
      remedy: "Remove it, or write ./* instead of * in commands.",
    });
  if (/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(name))
    report({
      kind: "hidden_text",
      severity: "high",
      what: `a name with control characters: ${shown(name)}`,
      why: "a terminal that lists it obeys them, or shows another name",
      remedy: "Remove it.",
    });
}
