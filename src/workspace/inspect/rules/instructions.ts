// Text that agents take as instructions, searched for what a person would not see.
import { shown, type ReportFinding } from "../finding.ts";
import type { FileRule } from "./file-rule.ts";

const instructionFiles = [
  /(^|\/)(AGENTS|CLAUDE|CLAUDE\.local|GEMINI|QWEN|CODEX|CONVENTIONS|CONTRIBUTING|README|SKILL|DESIGN|PLAN|TODO|COPILOT|WARP|CRUSH|OPENCODE)(\.[a-z-]+)?\.(md|mdx|txt|rst)$/i,
  /(^|\/)README$/i,
  /(^|\/)llms(-full)?\.txt$/i,
  /(^|\/)\.(cursorrules|windsurfrules|clinerules(\/.+)?|goosehints|roorules|aiderrules)$/i,
  /(^|\/)\.(cursor|claude|gemini|codex|opencode|roo|kiro|windsurf|github|agents|openhands)\/.+\.(mdc?|txt|toml)$/i,
];

interface Hidden {
  readonly name: string;
  readonly pattern: RegExp;
  readonly severity: "high" | "medium" | "low";
}

/** A flag of a region is written with tag characters; everything else in that block hides text. */
const hidden: readonly Hidden[] = [
  {
    name: "tag characters",
    pattern: /(?<!\u{1F3F4}[\u{E0020}-\u{E007E}]*)[\u{E0000}-\u{E007F}]/u,
    severity: "high",
  },
  {
    name: "variation selectors in a row",
    pattern: /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{3,}/u,
    severity: "high",
  },
  { name: "bidirectional controls", pattern: /[\u202A-\u202E\u2066-\u2069]/u, severity: "high" },
  {
    name: "zero-width characters",
    pattern:
      /[\u200B\u2060-\u2064\u180E\u115F\u1160\u3164\uFFA0]|(?!^)\uFEFF|(?<=[\x20-\x7e])[\u200C\u200D]+(?=[\x20-\x7e])/u,
    severity: "medium",
  },
  { name: "terminal escapes", pattern: /[\u001B\u009B\u0090\u009D]/u, severity: "high" },
  { name: "private-use characters", pattern: /[\u{F0000}-\u{FFFFD}\u{100000}-\u{10FFFD}]/u, severity: "low" },
];

function reportHidden(text: string, report: ReportFinding): void {
  for (const { name, pattern, severity } of hidden) {
    const found = pattern.exec(text);
    if (!found) continue;
    const line = text.slice(0, found.index).split("\n").length;
    const count = text.match(new RegExp(pattern.source, "gu"))?.length ?? 1;
    report({
      kind: "hidden_text",
      severity,
      what: `${name} (${count}), first in line ${line}`,
      why: "an agent reads what a person does not see",
      remedy: "Look at the file with an editor that shows invisible characters; remove them.",
    });
  }
}

/** A comment that addresses a model and gives it an order. */
const forAgents =
  /\b(agents?|assistants?|claude|copilot|gemini|codex|llms?|ai|language model)\b[^]{0,200}\b(must|should|please|always|never|ignore|run|execute|send|fetch|install|do not)\b|\bignore (all|any|previous|the above)\b/i;

export const instructionRules: readonly FileRule[] = [
  { path: instructionFiles, onlyHidden: true, look: reportHidden },
  {
    onlyHidden: true,
    path: /(^|\/)(AGENTS?|CLAUDE|GEMINI|README|CONTRIBUTING|SKILL|COPILOT)(\.[a-z-]+)?\.mdx?$/i,
    look: (text, report) => {
      const found = [...text.matchAll(/<!--([^]{0,4000}?)-->/g)].find(([, inner = ""]) => forAgents.test(inner));
      if (found)
        report({
          kind: "hidden_text",
          severity: "medium",
          what: `a comment that speaks to agents: ${shown(found[1], 80)}`,
          why: "an agent reads what the page does not show",
          remedy: "Read the comment in the source of the file.",
        });
    },
  },
  {
    path: [
      /^(?!(docs?|documentation)\/)(.*\/)?(AGENTS?(\.[a-z-]+)?|CLAUDE(\.local)?|GEMINI|QWEN|WARP|CRUSH|AMP|OPENCODE)\.md$/i,
      /(^|\/)\.(cursorrules|windsurfrules|clinerules|goosehints)$/i,
      /(^|\/)\.(github\/copilot-instructions\.md|cursor\/rules\/.+\.mdc?)$/i,
    ],
    look: (_text, report) =>
      report({
        kind: "agent_instructions",
        severity: "low",
        what: "instructions for coding agents",
        why: "an agent that works here follows them",
        remedy: "Read them as you would read a script.",
      }),
  },
];
