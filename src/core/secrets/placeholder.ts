// Recognises placeholders, values that are not secrets: `your-key-here`, `xxxx`, `${TOKEN}`, published documentation keys.
import { sampleLength, letterShape } from "./randomness.ts";

const placeholder =
  /example|sample|placeholder|change[-_ ]?me|redacted|dummy|insert|replace|\.\.\.|\*\*\*|<[^>]*>|&lt;|\{\{|\$\{|^\$\(|%\(\w+\)|#\{[^}]*\}/i;

/** Short words count only in these spellings: in any mixed case they occur by chance. */
const shortPlaceholder = /fake|Fake|FAKE|your|Your|YOUR|xxxx|XXXX|todo|TODO|Todo/;

/** Keys printed in the vendors' own documentation, by a part of each that does not occur by chance. */
const published = [
  "IOSFODNN7", // AWS
  "wJalrXUtnFEMI", // AWS
  "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq", // the Azure storage emulator
  "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM", // the Azure Cosmos DB emulator
  "6LeIxAcTAAAAA", // reCAPTCHA
  "1x0000000000000000000000000000000AA", // Turnstile
  "4eC39HqLyjWDarjtT1zdp7dc", // Stripe
  "2YotnFZFEjr1zCsicMWpAA", // RFC 6749
  "tGzv3JOkF0XG5Qx2TlKWIA", // RFC 6749
  "czZCaGRSa3F0MzpnWDFmQmF0M2JW", // RFC 6749
  "ad180jjd733klru7", // RFC 5849
  "0685bd9184jfhq22", // RFC 5849
  "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9l", // jwt.io
];

/** Whether the rest of a token after its prefix cannot be real: a placeholder, a counted sequence, or a repeated part. */
export function isPlaceholder(whole: string): boolean {
  const value = whole.slice(0, sampleLength);
  return (
    isPatterned(value) ||
    placeholder.test(value) ||
    shortPlaceholder.test(value) ||
    published.some((part) => value.includes(part))
  );
}

/** The same for a value whose name already states that it is a key: there a counted sequence is a value, not a pattern. */
export function isNamedPlaceholder(whole: string): boolean {
  const value = whole.slice(0, sampleLength);
  return placeholder.test(value) || shortPlaceholder.test(value) || published.some((part) => value.includes(part));
}

function isPatterned(value: string): boolean {
  return letterShape(value).distinct < Math.min(6, value.length / 3) || countsUp(value) || repeats(value);
}

/** Eight characters in counting order, such as `12345678` or `abcdefgh`. */
function countsUp(value: string): boolean {
  let length = 1;
  for (let index = 1; index < value.length; index += 1) {
    const step = value.charCodeAt(index) - value.charCodeAt(index - 1);
    const wraps = value[index - 1] === "9" && value[index] === "0";
    length = step === 1 || wraps ? length + 1 : 1;
    if (length >= 8) return true;
  }
  return false;
}

/** A part of at most 8 characters repeated, such as `deadbeefdeadbeef`. */
function repeats(value: string): boolean {
  for (let period = 1; period <= 8 && period * 2 <= value.length; period += 1) {
    let index = period;
    while (index < value.length && value[index] === value[index - period]) index += 1;
    if (index === value.length) return true;
  }
  return false;
}

const everyday =
  /^(?:pass(?:word|wd|phrase|w0rd)?\d{0,4}!?|pwd|secret|token|admin\d*|root\d*|user(?:name)?|guest|postgres(?:ql)?|mysql|redis|mongo|rabbit(?:mq)?|test\w{0,8}|foo\w{0,6}|bar|baz|qux|qwerty\w*|letmein|welcome\d*|hunter2|none|null|nil|undefined|true|false|string|number|boolean|optional|required|default|local(?:host)?|dev(?:elopment)?|staging|prod(?:uction)?|my[-_]\w+|(?:my|the|your|super|top|very)(?:secret|pass(?:word)?)\w{0,4}|not[-_]a[-_]\w+|the[-_]\w+|some(?:[-_]\w+|pass\w*|user\w*)|(?:key|token|secret|pw)[-_]?\d{1,4}|\w*[-_]?here|[#*.x?]{4,}|abc\w{0,6}|a+|x+|z+|0+|1+)$/i;

/** Whether a password or a value is a word that only documentation and tests use. */
export function isEverydayWord(value: string): boolean {
  return (value.length <= sampleLength && everyday.test(value)) || isPlaceholder(value);
}
