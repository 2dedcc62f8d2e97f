// Judges the content of sections: hidden characters, sections without a change, overlapping hunks, file modes, and
// secrets in new names and added lines.
import { decodeUtf8 } from "../bytes.ts";
import { eachLine, newText, oldText } from "../lines.ts";
import type { Section } from "../model.ts";
import type { Findings } from "./finding.ts";

/** U+202A-202E and U+2066-2069 in UTF-8, on an added line. */
const bidi = /(?:^|\n)\+[^\n]*(?:\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9])/;
/** Tag characters U+E0000-E007F. After a black flag emoji they spell the flag of a region. */
const tags = /(?:^|\n)\+[^\n]*\xf3\xa0[\x80\x81][\x80-\xbf]/;
const regionFlag = /\xf0\x9f\x8f\xb4(?:\xf3\xa0[\x80\x81][\x80-\xbf]){3,7}/g;
const trailing = /(?:^|\n)\+[^\n]*[ \t]\r?\n/;

function judgeBodies(section: Section, path: string, findings: Findings): void {
  if (section.body.kind !== "hunks") return;
  for (const { body, line } of section.body.hunks) {
    if (body.includes("\0")) findings.add("nul_byte", `Text of ${path} (hunk at line ${line}) holds a NUL byte`, path);
    if (body.includes("\xe2\x80") || body.includes("\xe2\x81")) {
      if (bidi.test(body))
        findings.add("bidi_control", `Added text of ${path} holds characters that reorder what is shown`, path);
    }
    if (body.includes("\xf3\xa0") && tags.test(body.replaceAll(regionFlag, ""))) {
      findings.add("hidden_text", `Added text of ${path} holds invisible tag characters`, path);
    }
    if (trailing.test(body)) findings.add("ok_whitespace_warning", `Added lines of ${path} end in white space`, path);
  }
}

function judgeOrder(section: Section, path: string, findings: Findings): void {
  if (section.body.kind !== "hunks") return;
  let older = 0;
  let newer = 0;
  for (const hunk of section.body.hunks) {
    // A range without lines names the line before it.
    const first = {
      old: hunk.old.start + (hunk.old.count ? 0 : 1),
      new: hunk.new.start + (hunk.new.count ? 0 : 1),
    };
    if (first.old < older || first.new < newer) {
      findings.add(
        "hunk_overlap",
        `Hunk at line ${hunk.line} of ${path} overlaps the one before it, or comes too late`,
        path,
      );
      return;
    }
    older = first.old + hunk.old.count;
    newer = first.new + hunk.new.count;
  }
}

function changesNothing({ body, change, newMode }: Section): boolean {
  if (body.kind !== "hunks" || body.hunks.length === 0 || change !== "modify" || newMode !== null) return false;
  return body.hunks.every((hunk) => hunk.old.count === hunk.new.count && oldText(hunk) === newText(hunk));
}

export function judgeContent(section: Section, findings: Findings): void {
  const path = section.newPath ?? section.oldPath ?? "";
  judgeBodies(section, path, findings);
  judgeOrder(section, path, findings);
  if (changesNothing(section)) findings.add("empty_patch", `The section of ${path} changes nothing`, path);
}

const link = "120000";
const gitlink = "160000";
const regular = new Set(["100644", "100755"]);

/** Content of a gitlink: the line that git shows for a submodule. */
const subproject = /^(?:[-+ ]Subproject commit [0-9a-f]{40}(?:-dirty)?\n|\\ [^\n]*\n)+$/;

export function judgeModes(section: Section, findings: Findings): void {
  const { oldMode, newMode, change, body } = section;
  const path = section.newPath ?? section.oldPath ?? "";
  const sub = body.kind === "hunks" && body.hunks.length > 0 && body.hunks.every((hunk) => subproject.test(hunk.body));
  if (oldMode === gitlink || newMode === gitlink || sub) {
    findings.add("submodule", `${path} is a submodule link`, path);
  } else if (newMode === link && oldMode !== link) {
    findings.add("symlink_create", `${path} would become a symbolic link`, path);
  } else if (oldMode === link && change === "copy") {
    findings.add("symlink_create", `${path} would be a copy of a symbolic link`, path);
  } else if (newMode === link || (oldMode === link && change !== "delete")) {
    findings.add("symlink_change", `${path} is a symbolic link and would be changed`, path);
  } else {
    const known = (mode: string | null) => mode === null || mode === link || regular.has(mode);
    if (!known(oldMode) || !known(newMode)) {
      findings.add("mode_invalid", `${path} has a mode git does not use for files (${newMode ?? oldMode})`, path);
    } else if (newMode !== null && newMode === oldMode && change !== "delete" && change !== "create") {
      findings.add("mode_invalid", `${path} changes its mode to the one it has`, path);
    }
  }
}

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

/** One sentence for each file whose new name or added lines hold something that looks like a secret. */
export function addedSecrets(
  sections: readonly Section[],
  countSecrets: CountSecrets,
): { readonly path: string; readonly message: string }[] {
  return sections.flatMap((section) => {
    const { newPath: path, oldPath } = section;
    if (path === null) return [];
    const text = addedText(section);
    const [named, added] = [path === oldPath ? 0 : countSecrets(path), text === "" ? 0 : countSecrets(text)];
    const name = named === 0 ? [] : [{ path, message: "The name of a new file holds a text that looks like a secret" }];
    const lines = `The added lines of ${path} hold ${added} text(s) that look like a secret`;
    return added === 0 ? name : [...name, { path, message: lines }];
  });
}

export function judgeSecrets(sections: readonly Section[], countSecrets: CountSecrets, findings: Findings): void {
  for (const { path, message } of addedSecrets(sections, countSecrets)) findings.add("secret_in_patch", message, path);
}
