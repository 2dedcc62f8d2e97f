// CommonMark's HTML blocks: a fence inside one is text. Seven ways to start, and for five of them a way to end.

const blockTags =
  "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul";
const attribute = String.raw`\s+[a-zA-Z_:][\w.:-]*(?:\s*=\s*(?:[^"'=<>\x60\0-\x20]+|'[^']*'|"[^"]*"))?`;
const anyTag = String.raw`<[A-Za-z][A-Za-z0-9-]*(?:${attribute})*\s*\/?>|<\/[A-Za-z][A-Za-z0-9-]*\s*>`;

/** Tags around a part in which a model thinks aloud. They are no HTML: what follows one is read as Markdown. */
export const thinkingTags =
  "think|thinking|antthinking|thought|thoughts|scratchpad|reasoning|reflection|analysis|draft|inner_monologue|inner_thoughts";

/** Tags around the answer itself, as some models write them. */
const answerTags = "answer|final|final_answer|response|result|output|solution|patch|diff";

export interface HtmlKind {
  readonly start: RegExp;
  /** Undefined: a blank line ends it. */
  readonly end?: RegExp;
  /** The loosest kind cannot interrupt a paragraph. */
  readonly loose?: true;
}

export const htmlKinds: readonly HtmlKind[] = [
  { start: /^<(?:script|pre|style|textarea)(?:\s|>|$)/i, end: /<\/(?:script|pre|style|textarea)>/i },
  { start: /^<!--/, end: /-->/ },
  { start: /^<\?/, end: /\?>/ },
  { start: /^<![A-Za-z]/, end: />/ },
  { start: /^<!\[CDATA\[/, end: /\]\]>/ },
  { start: new RegExp(String.raw`^<\/?(?:${blockTags})(?:\s|\/?>|$)`, "i") },
  {
    start: new RegExp(String.raw`^(?!<\/?(?:${thinkingTags}|${answerTags})[\s>])(?:${anyTag})\s*$`, "i"),
    loose: true,
  },
];
