// The report of a frame: its text without the lines around it, and whether the frame says that it is whole.
import type { Marks } from "../marks.ts";
import type { ReportLook } from "../shapes.ts";
import { anyMatch } from "./find.ts";
import { toMarkdown } from "./markdown.ts";

const bare = (part: string): string => part.replace(/^[#\s]+/, "").trim();

export function report(marks: Marks): ReportLook {
  const { body } = document;
  const parts = toMarkdown([body], marks.codeNoise).split("\n\n");
  const done = parts.some((part) => anyMatch(bare(part), marks.reportDone));
  const start = parts.findIndex((part) => {
    const line = bare(part);
    return line !== "" && !anyMatch(line, marks.reportNoise) && !anyMatch(line, marks.reportDone);
  });
  const markdown = start < 0 ? "" : parts.slice(start).join("\n\n").trim();
  return { markdown, html: body.innerHTML, done };
}
