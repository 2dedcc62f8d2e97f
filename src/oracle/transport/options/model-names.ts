// Names of models as people write them → the names that the APIs know. An unknown name stays as it is, without blanks around it.

/** Short names, and those of steipete/oracle. */
const aliases: Readonly<Record<string, string>> = {
  sonnet: "claude-sonnet-4-6",
  opus: "claude-opus-4-6",
  haiku: "claude-haiku-4-5",
  claude: "claude-sonnet-4-6",
  grok: "grok-4",
  gemini: "gemini-3.1-pro",
  gpt: "gpt-5.5",
};

const vendors = /^(?:gpt|claude|gemini|grok|o\d)\b/i;

/** `Claude Opus 4.1` → `claude-opus-4-1`; `claude-4.6-sonnet` → `claude-sonnet-4-6`; `Gemini 3.5 Flash` → `gemini-3.5-flash`. */
export function modelName(given: string): string {
  const name = given.trim();
  const short = aliases[name.toLowerCase()];
  if (short !== undefined) return short;
  if (!vendors.test(name)) return name;
  const joined = /\s/.test(name) ? name.toLowerCase().replaceAll(/\s+/g, "-") : name;
  if (!/^claude-/i.test(joined)) return joined;
  const turned = /^claude-(\d+(?:\.\d+)?)-(sonnet|opus|haiku)$/i.exec(joined);
  const ordered = turned ? `claude-${turned[2]?.toLowerCase() ?? ""}-${turned[1] ?? ""}` : joined;
  return ordered.replace(/(\d)\.(\d)/, "$1-$2");
}
