// Secrets that a patch would put into the tree. The judge of secrets is handed in; only added lines are shown to it.
import { decodeUtf8 } from "../bytes.ts";
import { eachLine } from "../lines.ts";
import type { Section } from "../model.ts";
import type { Findings } from "./finding.ts";

/** How many secrets a text holds. */
export type CountSecrets = (text: string) => number;

function addedText({ body }: Section): string {
  if (body.kind !== "hunks") return "";
  const parts: string[] = [];
  for (const hunk of body.hunks)
    eachLine(hunk.body, (kind, start, end) => {
      if (kind === "add") parts.push(hunk.body.slice(start, end));
    });
  return decodeUtf8(parts.join(""));
}

/** One sentence for each file to which the patch adds something that looks like a secret. */
export function addedSecrets(
  sections: readonly Section[],
  countSecrets: CountSecrets,
): { readonly path: string; readonly message: string }[] {
  return sections.flatMap((section) => {
    const path = section.newPath;
    const text = path === null ? "" : addedText(section);
    const count = text === "" || path === null ? 0 : countSecrets(text);
    if (count === 0 || path === null) return [];
    return [{ path, message: `The added lines of ${path} hold ${count} text(s) that look like a secret` }];
  });
}

export function judgeSecrets(
  sections: readonly Section[],
  countSecrets: CountSecrets,
  findings: Findings,
): void {
  for (const { path, message } of addedSecrets(sections, countSecrets))
    findings.add("secret_in_patch", message, path);
}
