// The rule for keys without a format of their own: a random value beside the name of a service and a word such as `key`.
import { isNamedPlaceholder } from "../placeholder.ts";
import { letterShape } from "../randomness.ts";
import { createStretchLimit, type FoundSecret, type ScanContext, type SecretRule } from "../rule.ts";
import { serviceNames } from "./service-names.ts";

/** Words between the name and the value, such as `_API_KEY` or ` SECRET token`. */
const marks = String.raw`(?:[ \t_.-]{0,4}(?:secret|private|access|api|key|token|tok|auth|client|app|account|admin|personal|pat|live|test|user|oauth|license|reporter|integration|consumer|customer|master|record|rest|write|certificate|webhook|bot|session|hec|id|v\d)s?){1,6}`;
const sign = String.raw`["'\x60\]]{0,2}[ \t]{0,8}(?:=>|:=|={1,3}|->|:)[ \t]{0,8}(?:\r?\n[ \t]{0,16})?["'\x60(]{0,2}`;
const gap = String.raw`(?:(?:[ \t]{1,8}|\r?\n|[-.])["'\x60]?|\(["'\x60])`;
const value = String.raw`([A-Za-z0-9][A-Za-z0-9_.=+/~-]{9,300})(?![A-Za-z0-9_(\[/])`;
const marked = new RegExp(`${marks}(?:${sign}|${gap})${value}`, "iy");
const assigned = new RegExp(`(?:${sign}|[ \\t]{1,4})${value}`, "iy");

/** Words of a sentence between the name, the mark and the value: then the value must be long and of one alphabet. */
const between = String.raw`[^\r\n=:,;{}()<>]{0,24}?`;
const spoken = new RegExp(
  `${between}(?:secret|private|access|key|token)${between}[ =:'"-]([0-9a-f]{24,64}|[A-Za-z0-9]{28,64})(?![A-Za-z0-9_])`,
  "iy",
);

const uuid = /^[0-9a-z]{8}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{12}$/i;
/** File names, versions, hosts and dates. */
const notAKey =
  /\.(?:[cm]?[jt]sx?|json|ya?ml|md|html?|css|png|svg|py|go|rb|php|java|com|io|org|net|dev|app|sh|txt|xml)$|^v?\d+\.\d+|^\d{4}-\d\d-\d\d|^(?:sha\d+|md5)-|^pk\.eyJ/i;

/** Whether a value has the shape of a generated key. A counted sequence counts: a name says what the value is. */
function isKeyShaped(text: string, isMarked: boolean): boolean {
  if (uuid.test(text)) return true;
  if (notAKey.test(text) || isNamedPlaceholder(text)) return false;
  const { lower, upper, digits, distinct, wordiness } = letterShape(text);
  if (distinct < 6) return false;
  if (lower + upper < 2) return digits >= 24;
  if (digits >= 3) return text.length >= 12 && (wordiness < 6 || digits >= 6);
  return isMarked && text.length >= 20 && !/[_.-]/.test(text) && wordiness < 5;
}

const spellings = (name: string): string[] => [name, name.charAt(0).toUpperCase() + name.slice(1), name.toUpperCase()];

function ruleOf({ name, everyday }: (typeof serviceNames)[number]): SecretRule {
  const stretchLimit = createStretchLimit();
  const judge = (text: string, at: number, context: ScanContext): FoundSecret | undefined => {
    if (/[a-z]/.test(text[at - 1] ?? "") && /[a-z]/.test(text[at] ?? "")) return undefined;
    if (!stretchLimit.admits(at, context)) return undefined;
    const from = at + name.length;
    for (const pattern of everyday ? [marked] : [marked, assigned, spoken]) {
      pattern.lastIndex = from;
      const match = pattern.exec(text);
      const found = match?.[1];
      if (!match || found === undefined) continue;
      const end = from + match[0].length;
      stretchLimit.read(end, context);
      const trimmed = found.replace(/[.=-]+$/, "");
      if (isKeyShaped(trimmed, pattern === marked))
        return { label: "service_key", rank: 3, start: end - found.length, end };
    }
    return undefined;
  };
  return { label: "service_key", rank: 3, literals: spellings(name), judge };
}

export const namedServiceRules: readonly SecretRule[] = serviceNames.map(ruleOf);
