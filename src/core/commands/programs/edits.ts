// Programs that edit or rename the files that their own text names: the patch of `apply_patch`, the pattern of `rename`.
import type { Arg, CommandCall, ProgramJudges } from "../call.ts";
import { isLiteral } from "../lexer/pattern.ts";
import { renamesPlainly } from "./plain-code.ts";

const patchedFile = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\s*$/gm;
const deletedFile = /^\*\*\* Delete File: (.+?)\s*$/gm;

/** Codex and other agents hand it a patch as a word or as a here-document. */
function applyPatch(call: CommandCall): void {
  const given: Arg | undefined = call.args[0] ?? (call.feed.kind === "text" && call.feed.exact ? call.feed : undefined);
  if (!given || call.args.length > 1 || !isLiteral(given.text) || !given.text.trimStart().startsWith("*** Begin Patch"))
    return call.report("unknown", "apply_patch applies a patch that is only known when it runs");
  for (const [, path = ""] of given.text.matchAll(patchedFile)) call.write({ ...given, text: path });
  for (const [, path = ""] of given.text.matchAll(deletedFile))
    call.remove({ ...given, text: path }, `apply_patch deletes ${path}`);
  call.report("local_write", "apply_patch edits the files that its patch names");
}

function rename(call: CommandCall): void {
  const [pattern, ...files] = call.args.filter(({ text }) => !/^-[nvf]+$/.test(text));
  if (!pattern || !isLiteral(pattern.text) || !renamesPlainly(pattern.text))
    return call.report("unknown", "rename can take a program as its pattern", pattern);
  files.forEach((file) => call.write(file));
  call.report("local_write", "rename changes names by a pattern");
}

export const edits: ProgramJudges = { apply_patch: applyPatch, rename };
