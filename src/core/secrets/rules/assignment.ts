// Rules for assignments to names such as `token` or `password`: in code, environment files, JSON, YAML, XML, connection strings, command lines.
import { isAt, nameClass, runEnd, runStart } from "../characters.ts";
import { createStretchLimit, type FoundSecret, type SecretRule, type ScanContext } from "../rule.ts";
import { isEverydayWord, isNamedPlaceholder } from "../placeholder.ts";
import { isLikelyRandom, letterShape } from "../randomness.ts";
import { isCutShort, isOwnName, isSecretValue, isSentence, readValue } from "./value.ts";

/** The text between a name and its value; the first that matches decides. */
const joints = [
  // An attribute, a field or the next line with the value of the name.
  String.raw`[ \t]{1,8}value[ \t]{0,2}=[ \t]{0,2}(?=["'])`,
  String.raw`,?[ \t]{0,8}(?:\r?\n[ \t-]{0,40})?\\?["']?[Vv]alue\\?["']?[ \t]{0,4}[:=][ \t]{0,8}`,
  String.raw`[ \t]{0,4}\{\s{1,40}default[ \t]{0,8}=[ \t]{0,4}`,
  // A type between the name and the sign: `token: &'static str = `.
  String.raw`[ \t]{0,4}:[ \t]{0,4}[A-Za-z&][A-Za-z0-9_&'<>[\]|. ?]{0,40}=[ \t]{0,8}(?=["'\x60])`,
  String.raw`[ \t]{0,40}(?:=>|:=|={1,3}|!==?|->|:)[ \t]{0,40}(?:[|>][-+]?[ \t]{0,4}\r?\n[ \t]{1,40})?`,
  String.raw`[ \t]{0,8},[ \t]{0,8}(?=\\{0,7}["'\x60])`,
  String.raw`\((?=["'\x60])`,
  String.raw`>(?=[^<>\s]{8})`,
  String.raw`[ \t]{1,3}(?:is|was)[ \t]{0,2}:?[ \t]{1,3}`,
];
const joint = new RegExp(String.raw`\\{0,7}["'\x60]?\]?[)?!]?(?:${joints.join("|")})(?:[rbuf@](?=["']))?`, "y");
const flagJoint = /(?:=|[ \t]{1,4})/y;
/** Commands that set a variable without a sign. */
const setter =
  /(?:^|[\s;&|])(?:ENV|setenv|set -[A-Za-z]{1,3}|(?:config(?:ure)?|secrets?|vars?|env) (?:set|put|add))[ \t]{1,4}$/;

const keyQualifier =
  /(?:api|access|auth|secret|private|encrypt(?:ion)?|crypt|cipher|sign(?:ing|ature)?|master|admin|account|shared|service|client|licen[cs]e|deploy|app|application|hmac|webhook|storage|subscription|ssh|session|jwt|aes|consumer|rest|server|write|ingest|integration|project|openai|anthropic|azure|gemini|mistral|cohere|datadog|algolia)[-_. ]?$/i;
/** Names of public or harmless values that contain a word such as `token`. */
const harmless =
  /public|publishable|page[-_]?token|next[-_]?token|continuation|cancel|cursor|sync[-_]?token|token(?:s|iz|_?type|_?count|_?limit|_?url|_?uri|_?endpoint|_?name|_?length|_?budget|_?class|_?id$|_?address)|secret[-_]?(?:name|arn|ref|id$|version|store|manager|path)|pass(?:word)?[-_]?(?:field|label|hint|policy|length|regex|pattern|input|reset|prompt|hash|rules)|key[-_]?(?:id|name|path|file|flags|type|vault|code|board|ring|usage|frame|store|space|size|length|event)|_at$|expires|expiry|author/i;

type Kind = "password" | "key";
interface Word {
  readonly kind: Kind;
  readonly spellings: readonly string[];
}

const cased = (word: string): string[] => [word, word.charAt(0).toUpperCase() + word.slice(1), word.toUpperCase()];

const words: readonly Word[] = [
  {
    kind: "key",
    spellings: [
      ...cased("token"),
      ...cased("secret"),
      ...cased("credential"),
      ...cased("apikey"),
      "key",
      "Key",
      "KEY",
      "_PAT",
      "WIF",
      "_wif",
      "wif",
    ],
  },
  {
    kind: "password",
    spellings: [
      ...cased("passw"),
      ...cased("passphrase"),
      ...cased("pwd"),
      ...cased("pass"),
      "_pw",
      "_PW",
      "pw:",
      "PW:",
      "pw=",
      "PW=",
    ],
  },
];

/** `key` counts only after a qualifier, or in the capitals of an environment variable. */
const isSecretKey = (word: string, before: string): boolean =>
  keyQualifier.test(before) || (word === "KEY" && /[A-Z0-9]_$/.test(before));

const isKeyWord = (word: string) => word.toLowerCase() === "key";
/** Words that are also the start of other words: `passed`, `_PATTERN`. */
const endsHere = (word: string) => /^(?:_pat|wif|_wif|pass|_pw)$/i.test(word);

const stretchLimit = createStretchLimit();

function judge(word: string, kind: Kind) {
  return (text: string, at: number, context: ScanContext): FoundSecret | undefined => {
    const wordEnd = at + word.replace(/[:=]$/, "").length;
    if (/^pw[:=]$/i.test(word) && /[A-Za-z0-9]/.test(text[at - 1] ?? "")) return undefined;
    if (endsHere(word) && /[A-Za-z]/.test(text[wordEnd] ?? "")) return undefined;
    if (isKeyWord(word) && !isSecretKey(word, text.slice(Math.max(0, at - 16), at))) return undefined;
    const nameEnd = runEnd(text, wordEnd, nameClass, 48);
    const valueStart = findValue(text, at, nameEnd);
    if (valueStart === undefined) return undefined;
    const nameStart = runStart(text, at, nameClass, 64);
    const name = text.slice(nameStart, nameEnd);
    // The user of a URL has a rule of its own.
    if (
      harmless.test(name) ||
      (context.code && /encrypted|obscured/i.test(name)) ||
      text.startsWith("//", nameStart - 2)
    )
      return undefined;
    if (resourceName.test(text.slice(Math.max(0, nameStart - 80), nameStart))) return undefined;
    // `…:secret:name`: a part of an address.
    if (text[nameEnd] === ":" && /[\w;]:$/.test(text.slice(Math.max(0, nameStart - 2), nameStart))) return undefined;
    if (!stretchLimit.admits(at, context)) return undefined;
    const value = readValue(text, valueStart);
    if (!value || value.end - value.start < (context.credentials ? 4 : 6)) return undefined;
    stretchLimit.read(value.end, context);
    const content = trimmed(text, value.start, value.end);
    // `a=b=!0`: an assignment of an assignment.
    if (context.code && !value.quoted && /^[\w$]+=[!\w$]/.test(content)) return undefined;
    if (isCutShort(text, value.start + content.length) || isOwnName(content, name) || isSentence(content))
      return undefined;
    const known =
      /heroku|snyk|railway|postmark|scaleway|scw_|northflank|rollbar|codecov|consul_http|nomad_|(?:secret|api)[-_]?key$|client[-_]?secret$|(?:auth|access|secret)[-_]?token$|^(?:[A-Z0-9]+_)+(?:TOKEN|SECRET|PRIVATE_KEY)$/i.test(
        name,
      ) &&
      /^[0-9a-f-]{36}$/.test(content) &&
      letterShape(content).distinct > 4;
    // The next string of a list, or an argument, is not an assignment: it must pass a stricter test.
    const isSet =
      /^set_?/i.test(name) || /define\(\s{0,4}["']$/.test(text.slice(Math.max(0, nameStart - 14), nameStart));
    const listed = !isSet && /[,(][ \t]{0,8}\\?$/.test(text.slice(nameEnd, valueStart));
    const isCompared = /[=!]==?/.test(text.slice(nameEnd, valueStart));
    // `sign("", "secret") => "1f…"`: what a call gives back.
    if (/^["']\)\s*=>/.test(text.slice(nameEnd, valueStart))) return undefined;
    const isSpoken = /\b(?:is|was)\b/.test(text.slice(nameEnd, valueStart));
    const isElement = text[valueStart - 1] === ">" && text.startsWith("</", value.end);
    const isFlag = kind === "password" && text[nameStart] === "-" && !context.code && letterShape(content).digits > 1;
    const quoted = value.quoted || isElement || isFlag || (context.plainValues === true && !isSpoken);
    const weak =
      !isCompared &&
      !isSpoken &&
      kind === "password" &&
      !listed &&
      isPasswordName(name) &&
      isWeakPassword(content, quoted, name, context, isBesideUser(text, nameStart));
    if (!known && !weak && !isSecretValue(content, kind, quoted)) return undefined;
    if (kind === "key" && !value.quoted && content.toLowerCase().startsWith(name.toLowerCase())) return undefined;
    if (context.code && hashed.test(content)) return undefined;
    if (isNumber.test(content) || (listed && !isRandomBeyondDoubt(content))) return undefined;
    const isWord = weak && !known && /^[A-Za-z]+$/.test(content) && !isSecretValue(content, kind, value.quoted);
    return {
      label: labelOf(name, context),
      rank: 3,
      start: value.start,
      end: value.start + content.length,
      ...(isWord ? { onlyTransfer: true as const } : {}),
    };
  };
}

/** A password as a system stores it, perhaps after the name of its user. */
const hashed = /^(?:[\w.-]{1,40}:)?(?:\$(?:[1569y]|2[abxy]|apr1|argon2id?)\$|pbkdf2_\w{1,12}\$|bcrypt\$)/;
/** A hexadecimal number of at most 64 bits. */
const isNumber = /^0x[0-9A-Fa-f]{1,16}$/;
const types = /^(?:function|string|object|number|boolean|undefined|symbol|different|required|hidden|visible|text)$/i;
const markup = /[^!-~]|[<>{}()[\]\\/,;:|`"']|^\$|\$[{(]|%s|\.\w+$/;

/** A name inside a longer one that a cloud gives to a resource. */
const resourceName = /\barn:[\w-]{0,20}:[^\s"']*$/;
const endsAsPassword =
  /(?:pass(?:w(?:or)?d|w|phrase)?|pwd|pw)s?(?:[-_]?\d{1,2})?(?:[-_](?:prod(?:uction)?|dev(?:elopment)?|staging|local|root|admin|user|bytes|value|text))?$/i;
const otherPass = /(?:update|reset|change|forgot|all|any|by|show|hide|toggle)[-_]?pass\w{0,4}$/i;
const isPasswordName = (name: string): boolean => endsAsPassword.test(name) && !otherPass.test(name);

/** Words alone, or joined by a sign. */
const onlyWords = /^[A-Za-z]+(?:[-_.@$]{1,2}[A-Za-z]+)*[!$]{0,2}$/;

/** A password that is easy to guess counts too: its name states what it is. A word about passwords is not one. */
function isWeakPassword(
  value: string,
  quoted: boolean,
  name: string,
  context: ScanContext,
  besideUser: boolean,
): boolean {
  if (context.test || (context.code && onlyWords.test(value)) || /^!\w+$|^[^A-Za-z0-9]+$/.test(value)) return false;
  if (context.credentials || (besideUser && !context.code))
    return (
      !markup.test(value) &&
      !isNamedPlaceholder(value) &&
      (context.credentials === true || !types.test(value)) &&
      !/^(?:pass(?:word|wd)?|true|false|null|none|yes|no|on|off)$/i.test(value)
    );
  if (!quoted && !/^[A-Z0-9_]{4,}$/.test(name)) return false;
  if (/^(?:pass|passed|passes|passing)$/i.test(name) || value.length < 6 || value.length > 64) return false;
  if (markup.test(value) || types.test(value) || /pass|pwd|secret|token|key/i.test(value)) return false;
  return !isEverydayWord(value) && value.toLowerCase() !== name.toLowerCase();
}

const userName = /(?:user(?:[-_]?name)?|login|uid)["']?[ \t]{0,20}(?:=>|[:=])[ \t]{0,20}["']?[A-Za-z0-9]/i;

/** The name of a user is set in the lines before: together they are a login, also where no quotes tell what a value is. */
const isBesideUser = (text: string, nameStart: number): boolean =>
  userName.test(text.slice(Math.max(0, nameStart - 120), nameStart));

function isRandomBeyondDoubt(value: string): boolean {
  const { digits, wordiness } = letterShape(value);
  return isLikelyRandom(value, 12) && (digits > 0 || wordiness < 4);
}

function findValue(text: string, at: number, nameEnd: number): number | undefined {
  joint.lastIndex = nameEnd;
  if (joint.test(text)) return joint.lastIndex;
  const nameStart = runStart(text, at, nameClass, 64);
  const flag = text[nameStart] === "-" && !isAt(text, nameStart - 1, nameClass);
  if (!flag && !setter.test(text.slice(Math.max(0, nameStart - 20), nameStart))) return undefined;
  flagJoint.lastIndex = nameEnd;
  return flagJoint.test(text) ? flagJoint.lastIndex : undefined;
}

/** A full stop or colon after an unquoted value belongs to the sentence. */
function trimmed(text: string, start: number, end: number): string {
  let stop = end;
  while (stop > start && (text[stop - 1] === "." || text[stop - 1] === ":")) stop -= 1;
  return text.slice(start, stop);
}

function labelOf(name: string, context: ScanContext): string {
  if (/secret_?access_?key|aws_?secret/i.test(name)) return "aws_secret_access_key";
  if (/session_?token|security_?token/i.test(name) && /aws/i.test(name)) return "aws_session_token";
  if (/^token$/i.test(name) && context.fileName.includes("kube")) return "kube_token";
  return "generic_secret";
}

export const assignmentRules: readonly SecretRule[] = words.flatMap(({ kind, spellings }) =>
  spellings.map((word) => ({
    label: "generic_secret",
    rank: 3 as const,
    literals: [word],
    judge: judge(word, kind),
  })),
);
