// A raw activity as it may be shown: short, on one line, without secrets and without the beginning of one.
import { type Activity, plainLine, plainText } from "../../../core/contract/index.ts";

export type Redact = (text: string) => Promise<string>;

const mostShown = 240;

/** Words that still grow end in the middle of a word, which may be the beginning of a secret. */
const wholeWords = (text: string): string => text.replace(/\S{1,400}$/, "");

/** The end of what is said. An answer in the form that the runtime asks for is not for reading. */
function endOf(redacted: string): string {
  const text = plainText(redacted).trim();
  if (/^(?:```(?:json)?\s*)?[{[]\s*"/.test(text)) return `writes its answer (${text.length} characters)`;
  const last = text.slice(text.lastIndexOf("\n") + 1).trim();
  return last.length <= mostShown ? last : `…${last.slice(1 - mostShown).toWellFormed()}`;
}

export async function shown(activity: Activity, redact: Redact): Promise<Activity> {
  const { does, says } = activity;
  const words = says && endOf(await redact(says.growing ? wholeWords(says.text) : says.text));
  return {
    ...activity,
    who: plainLine(activity.who, 120),
    does: does && { ...does, text: plainLine(await redact(does.text), mostShown) },
    says: says && words !== null && words !== "" ? { ...says, text: words } : null,
  };
}
