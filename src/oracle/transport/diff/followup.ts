// The follow-up to an answer without a usable diff: the reason, and the form that is wanted instead (T-17).

const wanted = [
  "Reply with the whole change again as one unified diff in a single fenced block:",
  "start the block with a line of three backticks and the word diff, then for each file a",
  "`diff --git a/<path> b/<path>` header, `---` and `+++` lines and `@@ -<line>,<count> +<line>,<count> @@` hunks",
  "whose counts match their lines, with unchanged lines copied exactly. Close the fence. Add no second diff block.",
].join("\n");

export interface FollowupInput {
  /** One sentence on what was wrong with the last answer. */
  readonly reason: string;
  /** The words of git itself, when it refused the patch. */
  readonly gitMessage: string | null;
  /** The user's own words replace the request, never the reason. */
  readonly custom: string | null;
}

export function followupPrompt({ reason, gitMessage, custom }: FollowupInput): string {
  const parts = [`Your last answer could not be used: ${reason}`];
  if (gitMessage !== null) parts.push(`git said:\n\n    ${gitMessage.trim().replaceAll("\n", "\n    ")}`);
  parts.push(custom ?? wanted);
  return parts.join("\n\n");
}
