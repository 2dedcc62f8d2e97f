// An issue as a goal: its title is the goal, its open check boxes are what must be true at the end. The text is a
// stranger's: sentences in it that speak to an agent, and characters that no reader sees, are named for the person.
import { plainLine, visibleText } from "../../contract/index.ts";

export interface Issue {
  readonly title: string;
  readonly body: string;
  /** Where it is, such as an address; empty for a file. */
  readonly url: string;
}

/** One issue is at most so long; the rest says nothing that a reader would find. */
export const longestIssue = 200_000;

const longestCriterion = 1_000;
const mostCriteria = 30;

/** A text whose first line is the title: `# Title`, `Title: …`, or just a line. */
export function readIssueText(text: string): Issue {
  const lines = text
    .replaceAll("\r\n", "\n")
    .replace(/^\ufeff/, "")
    .split("\n");
  const first = lines.findIndex((line) => line.trim() !== "");
  const title = (lines[first] ?? "").replace(/^#+\s*/, "").replace(/^title:\s*/i, "");
  return {
    title: plainLine(title, 500),
    body: lines
      .slice(first + 1)
      .join("\n")
      .trim(),
    url: "",
  };
}

/** The open check boxes; a box in a code block is an example. */
export function criteriaOf({ body }: Issue): string[] {
  const found: string[] = [];
  let fence: string | undefined;
  for (const line of body.split("\n")) {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1];
    if (mark !== undefined && fence === undefined) fence = mark;
    else if (mark !== undefined && fence !== undefined && mark.startsWith(fence)) fence = undefined;
    const box = fence === undefined ? /^\s*(?:[-*+]|\d+[.)])\s+\[ \]\s+(\S.*)$/.exec(line)?.[1] : undefined;
    if (box !== undefined) found.push(plainLine(box, longestCriterion));
  }
  return found.slice(0, mostCriteria);
}

const hints: readonly (readonly [RegExp, string])[] = [
  [
    /\b(ignore|disregard|forget)\b.{0,40}\b(instructions?|rules?|directives?|above|previous)\b/i,
    "tells the reader to ignore its instructions",
  ],
  [/\b(you are|act as|as) (an? )?(ai|llm|language model|assistant|coding agent|agent)\b/i, "speaks to an agent"],
  [/\b(system prompt|developer message|<\/?(system|assistant|user)>)/i, "imitates a message of the system"],
  [/\b(do not|don't|never) (tell|mention|show|report|reveal)\b/i, "asks to keep something from the person"],
  [/\b(approve|accept|merge)\b.{0,30}\b(this|the|any) (gate|patch|change|run|pull request)\b/i, "asks for an approval"],
  [
    /\b(skip|disable|delete|weaken|remove)\b.{0,30}\b(tests?|checks?|ci|review|validation)\b/i,
    "asks to take tests or checks away",
  ],
  [/\b(curl|wget)\b[^\n]*\|\s*(sudo\s+)?(ba|z|da)?sh\b/i, "holds a command that runs a program from the network"],
  [
    /\b(print|send|post|upload|exfiltrate|paste)\b.{0,40}\b(env|environment variables?|secrets?|tokens?|keys?|credentials?|passwords?)\b/i,
    "asks for secrets",
  ],
];

/** What in the text is not a description of work, each as one line. A hint for the person, never a proof of the opposite. */
export function warningsOf({ title, body }: Issue): string[] {
  const lines = `${title}\n${body}`.split("\n");
  const found = new Map<string, string>();
  for (const line of lines)
    for (const [pattern, what] of hints)
      if (!found.has(what) && pattern.test(line.slice(0, 2_000))) found.set(what, plainLine(line, 120));
  const hidden = lines.find((line) => visibleText(line) !== line && /‹U\+(?!FE0F|00A0|200D)/.test(visibleText(line)));
  const comment = /<!--([\s\S]*?\S[\s\S]*?)-->/.exec(body)?.[1];
  return [
    ...[...found].map(([what, line]) => `It ${what}: “${line}”`),
    ...(hidden === undefined
      ? []
      : [`It holds characters that are not visible: “${plainLine(visibleText(hidden), 120)}”`]),
    ...(comment === undefined
      ? []
      : [`It holds a comment that a reader of the page does not see: “${plainLine(comment, 120)}”`]),
  ];
}
