// sed and awk: languages whose scripts can write files or start programs.
import type { Arg, CommandCall, ProgramJudges } from "../call.ts";
import { hasOption, optionValues, parseOptions } from "../options.ts";
import { isLiteral } from "../lexer/pattern.ts";
import { each, splitWords } from "./build.ts";

/** One sed command after its addresses: its arguments matter only where it can write or run. */
type SedStep =
  | { readonly kind: "plain" }
  | { readonly kind: "run"; readonly code: string }
  | { readonly kind: "write" | "read"; readonly path: string };

const address = String.raw`(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n]|\\.)*/[IM]*|\\(.)(?:(?!\1)[^\\\n]|\\.)*\1[IM]*|[+~]\d+)`;
const addresses = new RegExp(String.raw`^\s*(?:${address}(?:\s*,\s*${address.replaceAll("\\1", "\\2")})?)?\s*!*\s*`);

/** The steps of a script, or undefined when it cannot be read. */
function readSed(script: string): SedStep[] | undefined {
  const steps: SedStep[] = [];
  let text = script;
  for (;;) {
    text = text.replace(/^[\s;}]+/, "");
    if (text === "") return steps;
    if (text.startsWith("#")) {
      text = text.replace(/^[^\n]*/, "");
      continue;
    }
    text = text.slice(addresses.exec(text)?.[0].length ?? 0);
    const step = sedStep(text);
    if (!step) return undefined;
    steps.push(...step.steps);
    text = text.slice(step.used);
  }
}

function sedStep(text: string): { steps: SedStep[]; used: number } | undefined {
  const letter = text[0] ?? "";
  const rest = text.slice(1);
  if (letter === "{" || letter === "}") return { steps: [], used: 1 };
  if (/[pPdDnNgGhHxz=F]/.test(letter)) return endsHere(rest) ? { steps: [{ kind: "plain" }], used: 1 } : undefined;
  const tail = (pattern: RegExp) => pattern.exec(rest)?.[0].length ?? 0;
  if (/[qQlL]/.test(letter)) return { steps: [{ kind: "plain" }], used: 1 + tail(/^\s*\d*/) };
  if (/[btT:]/.test(letter)) return { steps: [{ kind: "plain" }], used: 1 + tail(/^[^;\n}]*/) };
  if (/[aic]/.test(letter)) return { steps: [{ kind: "plain" }], used: 1 + tail(/^(?:[^\\\n]|\\[^])*/) };
  if (/[rRwW]/.test(letter)) {
    const path = /^[^\n]*/.exec(rest)?.[0] ?? "";
    return {
      steps: [{ kind: /[rR]/.test(letter) ? "read" : "write", path: path.trim() }],
      used: 1 + path.length,
    };
  }
  if (letter === "e") return { steps: [{ kind: "run", code: rest.trim() }], used: text.length };
  return letter === "s" || letter === "y" ? substitution(letter, rest) : undefined;
}

const endsHere = (rest: string) => /^\s*($|[;}\n#])/.test(rest);

function substitution(letter: string, rest: string): { steps: SedStep[]; used: number } | undefined {
  const delimiter = rest[0] ?? "";
  if (delimiter === "" || delimiter === "\\" || delimiter === "\n") return undefined;
  let at = 1;
  for (let parts = 0; parts < 2; at += 1) {
    if (at >= rest.length) return undefined;
    if (rest[at] === "\\") at += 1;
    else if (rest[at] === "[" && parts === 0 && rest.indexOf("]", at + 2) > 0) at = bracketEnd(rest, at, delimiter);
    else if (rest[at] === delimiter) parts += 1;
  }
  if (letter === "y") return { steps: [{ kind: "plain" }], used: 1 + at };
  const flags = /^[gpiImM\d]*/.exec(rest.slice(at))?.[0] ?? "";
  at += flags.length;
  if (rest[at] === "e") return { steps: [{ kind: "run", code: "" }], used: rest.length + 1 };
  if (rest[at] === "w") {
    const path = /^[^\n]*/.exec(rest.slice(at + 1))?.[0] ?? "";
    return { steps: [{ kind: "write", path: path.trim() }], used: at + 2 + path.length };
  }
  return endsHere(rest.slice(at)) ? { steps: [{ kind: "plain" }], used: 1 + at } : undefined;
}

/** A delimiter inside brackets is a plain character, unless the bracket never closes before it. */
function bracketEnd(rest: string, at: number, delimiter: string): number {
  const close = rest.indexOf("]", at + 2);
  return rest.slice(at, close).includes(delimiter) ? at : close;
}

/** Every line is deleted. */
const empties = /^\s*([01],\$|\/(\.\*|\^|\$|\.\?)\/)?\s*d\s*;?\s*$/;

const sedValues = splitWords("-e --expression -f --file -l --line-length");

function sed(call: CommandCall): void {
  const parsed = parseOptions(call.args, { values: sedValues });
  const scripts: Arg[] = optionValues(parsed, "-e", "--expression").slice();
  const files = optionValues(parsed, "-f", "--file");
  files.forEach((arg) => call.read(arg));
  if (files.length > 0) call.report("unknown", "sed runs a script from a file", files[0]);
  const inPlace = parsed.options.some(
    ({ name }) => name === "-i" || name === "-I" || (name.length > 4 && "--in-place".startsWith(name)),
  );
  const rest = scripts.length + files.length > 0 ? parsed.rest : parsed.rest.slice(1);
  const [first] = parsed.rest;
  if (scripts.length + files.length === 0 && first) {
    scripts.push(first);
    // BSD's `sed -i '' SCRIPT`: the first word is the suffix.
    const second = parsed.rest[1];
    if (inPlace && first.text === "" && second) scripts.push(second);
  }
  for (const script of scripts) sedScript(call, script, hasOption(parsed, "--sandbox"));
  for (const path of rest) {
    // A file outside that is edited in place needs approval as a write; its content is not shown.
    if (!inPlace || !call.isAway(path.text)) call.read(path);
    if (inPlace) call.write(path);
  }
  if (inPlace && scripts.some(({ text }) => empties.test(text))) call.report("destructive", "sed -i empties files");
  if (inPlace) call.report("local_write", "sed -i edits files in place");
  if (parsed.open) call.runsOwnCode("A word could be an option of sed", parsed.open);
}

function sedScript(call: CommandCall, script: Arg, confined: boolean): void {
  if (!isLiteral(script.text))
    return void call.runsOwnCode("A sed script that is only known when it runs can run a command", script);
  const steps = readSed(script.text);
  if (!steps) return call.report("unknown", "A sed script this judge cannot read", script);
  for (const step of steps) {
    if (step.kind === "run") {
      call.report("unknown", "This sed script runs a command", script);
      call.suspect({ ...script, text: step.code });
    } else if (step.kind === "read") call.read({ ...script, text: step.path });
    else if (step.kind === "write" && !confined) call.write({ ...script, text: step.path });
  }
}

const awkRuns = /\bsystem\s*\(|\|\s*getline|\|&|\|\s*"|\|\s*\w+\s*(;|\}|$)|@load|@include|@\w+\s*\(|\/inet\//;
/** A longer script is not searched and counts as unknown. */
const awkLimit = 4096;
const awkWrites = /(?:print|printf)[^;}\n]*>>?\s*("([^"]*)"|[^\s;}]+)/g;

function awk(call: CommandCall): void {
  const parsed = parseOptions(call.args, {
    values: splitWords("-F -v -f -i -l -E --field-separator --assign --file --include --load --exec"),
  });
  const loads = parsed.options.find(({ name }) =>
    /^(-f|-i|-l|-E|--file|--include|--load|--exec|-D|--debug|-p|--profile|-o|--pretty-print|-d|--dump-variables)$/.test(
      name,
    ),
  );
  if (loads) call.report("unknown", "awk takes code from a file or writes one", loads.arg);
  const hasFile = parsed.options.some(({ name }) => /^(-f|-E|--file|--exec)$/.test(name));
  const [program, ...rest] = hasFile ? [undefined, ...parsed.rest] : parsed.rest;
  rest.forEach((arg) => call.read(arg as Arg));
  if (!program) return;
  const { text } = program;
  if (!isLiteral(text) || text.length > awkLimit)
    return call.report("unknown", "An awk program that cannot be looked through", program);
  const bare = text.replaceAll(/\/(?:[^/\\\n]|\\.)*\//g, "//");
  if (/\bENVIRON\b/.test(text)) call.report("credential_sensitive", "awk shows the environment", program);
  // Without a slash and an escape the limits of strings are certain.
  const sure = /[/\\]/.test(text) ? text : text.replaceAll(/"[^"\n]*"/g, '""');
  if (
    awkRuns.test(sure.replaceAll("||", "")) ||
    (!/[/\\]/.test(text) && sure.replaceAll("||", "").includes("|")) ||
    awkRuns.test((sure === text ? bare : sure).replaceAll("||", ""))
  ) {
    call.report("unknown", "This awk program can run a command", program);
    for (const match of text.matchAll(/"((?:[^"\\]|\\.)*)"/g)) call.suspect({ ...program, text: match[1] ?? "" });
  }
  for (const match of text.matchAll(awkWrites)) {
    const path = match[2];
    // A comparison in parentheses looks the same; then approval is required unnecessarily.
    if (path !== undefined) call.write({ ...program, text: path });
    else if (!/\([^)]*>[^)]*\)/.test(match[0]))
      call.report("local_write", "awk writes a file whose name is only known when it runs", program, true);
  }
  for (const [, path = ""] of text.matchAll(/>\s*"((?:\/|~|\.\.)[^"]*)"/g)) call.write({ ...program, text: path });
  const reads = /getline[^;]*<\s*"([^"]*)"/.exec(text)?.[1];
  if (reads !== undefined) call.read({ ...program, text: reads });
}

export const textTools: ProgramJudges = {
  sed,
  gsed: sed,
  ...each("awk gawk mawk", awk),
};
