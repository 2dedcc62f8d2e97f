// Test only: random Markdown that is rich in fences and containers, and what micromark makes of it.
import * as fc from "fast-check";
import { parse, postprocess, preprocess } from "micromark";
import { findFences } from "../../src/core/patch/reply/index.ts";

/** What micromark sees. It is the reference here and not in the product: see the header of fences.ts. */
export function reference(text: string) {
  const context = parse().document();
  const events = postprocess(context.write(preprocess()(text, undefined, true)));
  const found: { text: string; closed: boolean; quoted: boolean }[] = [];
  let quotes = 0;
  let fences = 0;
  let parts: string[] = [];
  let inside = false;
  for (const [step, token, at] of events) {
    if (token.type === "blockQuote") quotes += step === "enter" ? 1 : -1;
    if (token.type === "codeFenced") {
      if (step === "enter") {
        fences = 0;
        parts = [];
        inside = true;
      } else {
        inside = false;
        // The first line end belongs to the opening fence.
        found.push({ text: parts.slice(1).join(""), closed: fences === 2, quoted: quotes > 0 });
      }
    }
    if (!inside || step !== "enter") continue;
    if (token.type === "codeFencedFence") fences++;
    if (token.type === "codeFlowValue" || token.type === "lineEnding") parts.push(at.sliceSerialize(token));
  }
  return found;
}

export const ours = (text: string) =>
  findFences(text).map(({ text: body, closed, quoted }) => ({ text: body, closed, quoted }));

const piece = fc.constantFrom(
  ..."``` ```` ~~~ ~~~~ ``` ```diff ~~~diff ``` - + * > > 1. 1) # --- === *** <div> </div> <!-- --> <pre> </pre> <? ?> a b `x` [a]: diff --git".split(
    " ",
  ),
  " ",
  "  ",
  "   ",
  "    ",
  "\t",
  "\n",
  "\n",
  "\n",
  "\n\n",
  "```\n",
  "```diff\n",
  "~~~\n",
);
/** micromark lets no empty list item follow indented code, which CommonMark does: such lines are not compared. */
const line = (start: string, text: string) => start + (text.trim() === "" && /[-*+\d]/.test(start) ? "x" : text);
const prefix = fc.array(
  fc.constantFrom("", "", " ", "  ", "   ", "    ", "\t", "> ", ">", "- ", "-   ", "1. ", "* ", "+\t"),
  { maxLength: 3 },
);
const body = fc.constantFrom(
  "",
  "",
  "x",
  "```",
  "```",
  "```diff",
  "````",
  "~~~",
  "~~~ a`b",
  "``` a`b",
  "+ y",
  "- z",
  " w",
  "--- a/x",
  "<div>",
  "-->",
  "<!--",
  "# h",
  "===",
  "\t",
  "  ",
);
const lines = fc
  .array(fc.tuple(prefix, body, fc.constantFrom("\n", "\n", "\n", "\r\n")), { maxLength: 12 })
  .map((rows) => rows.map(([start, text, eol]) => line(start.join(""), text) + eol).join(""));
export const markdown = fc.oneof(
  fc.array(piece, { maxLength: 30 }).map((parts) => parts.join("")),
  lines,
);

/** Both readings, alike where they may be compared: how an unclosed block ends is not specified to the last blank. */
export const compared = (text: string) => {
  const trim = (list: ReturnType<typeof ours>) =>
    list.map((fence) => (fence.closed ? fence : { ...fence, text: fence.text.replace(/\s*$/, "") }));
  return { ours: trim(ours(text)), reference: trim(reference(text)) };
};
