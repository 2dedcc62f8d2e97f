// Patterns: text with unknown parts, as a string in which private-use characters stand for the parts that a shell would
// expand. Input with such characters is refused earlier. Also the search for secret files by name, and word lists.
/** Any text, also empty, also with slashes: the value of a variable or the output of a command. */
export const ANY = "\uE000";
/** Any text within one path segment: an unquoted `*`. */
export const STAR = "\uE001";
/** One character: an unquoted `?` or `[…]`. */
export const ONE = "\uE002";

const unknown = /[\uE000-\uE002]/;

export const isLiteral = (pattern: string) => !unknown.test(pattern);
/** The start is unknown, so it could be an option. */
export const isOpen = (pattern: string) => /^[\uE000-\uE002]/.test(pattern);

/** Whether the pattern can match this text. The time is bounded, because patterns are untrusted. */
export function couldBe(pattern: string, text: string): boolean {
  const steps = pattern.replaceAll(/[\uE000\uE001]{2,}/g, (run) => (run.includes(ANY) ? ANY : STAR));
  if (steps.replaceAll(/[\uE000\uE001]/g, "").length > text.length) return false;
  let reached = new Set([0]);
  for (const step of steps) {
    const next = new Set<number>();
    for (const from of reached) {
      if (step === ANY || step === STAR) {
        for (let to = from; to <= text.length; to += 1) {
          next.add(to);
          if (step === STAR && text[to] === "/") break;
        }
      } else if (from < text.length && (step === ONE ? text[from] !== "/" : text[from] === step)) next.add(from + 1);
    }
    if (next.size === 0) return false;
    reached = next;
  }
  return reached.has(text.length);
}

/** For people: an unknown part shows as an ellipsis. */
export const showPattern = (pattern: string) => pattern.replaceAll(ANY, "…").replaceAll(STAR, "*").replaceAll(ONE, "?");

/** A glob that the program itself expands, quoted in the shell. */
export const asGlob = (text: string) =>
  text
    .replaceAll("*", STAR)
    .replaceAll("?", ONE)
    .replaceAll(/\[[^\]]+\]/g, ONE);

/** Secret files that a search by name can find, each with the characteristic part of its name. */
const soughtFiles: readonly (readonly [part: string, file: string])[] = [
  [".envrc", ".env"],
  [".npmrc", ".npmrc"],
  [".netrc", ".netrc"],
  [".pgpass", ".pgpass"],
  ["id_rsa", "id_rsa"],
  ["id_ed25519", "id_ed25519"],
  ["credentials", "credentials.json"],
  ["secrets", "secrets.json"],
  ["passwords", "passwords.txt"],
  ["tokens", "tokens.json"],
  [".key", "server.key"],
  [".pem", "server.pem"],
  ["tfstate", "terraform.tfstate"],
  ["kubeconfig", "kubeconfig"],
];

/** A secret file whose name matches this pattern of `grep`. */
export function soughtBy(pattern: string): string | undefined {
  const wanted = pattern
    .toLowerCase()
    .split(/\\?\|/)
    .map((part) => part.replaceAll(/[\\^$*()]/g, ""));
  return soughtFiles.find(([name]) => wanted.some((part) => part.length > 2 && name.includes(part)))?.[1];
}

/** A list as alternatives of a regular expression, in this order. An entry may hold regex syntax, but no blank. */
export const anyOf = (list: string) => list.trim().split(/\s+/).join("|");
