// Judges one simple command: its assignments, its redirections, its arguments, and the program that it calls.
import type { Span } from "../../contract/index.ts";
import type { Feed } from "../call.ts";
import { countWays, expandWord } from "../lexer/expand.ts";
import { isLookalike } from "../lexer/prescan.ts";
import type { Assignment, Redirect, SimpleCommand, Word } from "../lexer/lexer.ts";
import { showPattern } from "../lexer/pattern.ts";
import { findSubstitutions } from "../lexer/substitutions.ts";
import { assignmentRisk, isSecretName, settingClass } from "../variables.ts";
import { dispatch, readPath, removePath, writePath } from "./dispatch.ts";
import { stdinText } from "./feed.ts";
import type { Walk } from "./walk.ts";

interface Spanned {
  readonly start: number;
  readonly end: number;
}

/** Returns the input from the redirections, if there is any. */
export function judgeSimple(
  walk: Walk,
  command: SimpleCommand,
  node: Spanned,
  feed: Feed,
  ofCompound = false,
): Feed | undefined {
  const handedOn = command.words.length > 0;
  const works = handedOn && !showsVersion(command);
  for (const assignment of command.assignments) judgeAssignment(walk, assignment, handedOn, works);
  for (const word of command.words) judgeWord(walk, word, command);
  let own: Feed | undefined;
  for (const redirect of command.redirects)
    own = judgeRedirect(walk, redirect, ofCompound ? undefined : command) ?? own;
  own = stdinText(command, walk) ?? own;
  if (command.words.length === 0) {
    if (command.assignments.length > 0 && command.redirects.length === 0)
      walk.report("read_only", "Only sets a variable of this shell", node);
    return own;
  }
  const dynamic = command.words[0]?.pieces.some((piece) => piece.kind !== "text") ?? false;
  if (dynamic) walk.report("unknown", "Which program runs is only known when it runs", command.words[0]?.span ?? node);
  const ways = countWays(command.words, walk.variables);
  for (let choice = 0; choice < ways; choice += 1) {
    const args = command.words.flatMap((word) =>
      expandWord(word, walk.variables, choice).map((text) => ({ text, span: word.span })),
    );
    if (args.length > 0) dispatch(walk, args, node, own ?? feed, dynamic);
  }
  return own;
}

/** `python3 --version` */
const showsVersion = ({ words: [, first] }: SimpleCommand) =>
  /^(-v|-V|--?version)$/.test(first ? plainText(first) : "");

function judgeAssignment(walk: Walk, { name, values, span }: Assignment, handedOn: boolean, works: boolean): void {
  const value = values.flatMap((word) => expandWord(word, walk.variables)).join(" ");
  const risk = assignmentRisk(name, value, handedOn, works);
  if (risk !== undefined) walk.report(settingClass(name), risk, span);
  for (const word of values) judgeWord(walk, word);
}

const plainText = (word: Word) => word.pieces.map((p) => (p.kind === "text" ? p.text : "")).join("");

/** A test compares a secret without printing it. */
const onlyTests = (command: SimpleCommand | undefined) =>
  /^(\[|test|\[\[)$/.test(command?.words[0] ? plainText(command.words[0]) : "");

function judgeWord(walk: Walk, word: Word, command?: SimpleCommand): void {
  for (const piece of word.pieces) {
    if (piece.kind === "text" && !piece.quoted && isLookalike(piece.text))
      walk.report("unknown", `The character ${JSON.stringify(piece.text)} only looks like shell syntax`, word.span);
    if (piece.kind !== "variable" || !isSecretName(piece.name) || onlyTests(command)) continue;
    if (piece.rest.startsWith("+") || piece.rest.startsWith(":+")) continue;
    const own = walk.variables.get(piece.name);
    const isOwn = own?.every((value) => value.pieces.every((p) => p.kind !== "variable" || p.name !== piece.name));
    if (!isOwn) walk.report("credential_sensitive", `The value of ${piece.name} is a secret`, word.span);
  }
}

/** The shell expands an unquoted here-document: its substitutions run, and its variables are inserted. */
function judgeFilledIn(walk: Walk, body: string, span: Span): void {
  const { found, whole } = findSubstitutions(body, "heredoc");
  if (!whole) walk.report("unknown", "A substitution in a here-document has no end", span);
  for (const { text } of found) walk.findings.push(...walk.inner(text, span));
  const rest = found.reduce(
    (left, { start, end }) => `${left.slice(0, start)}${" ".repeat(end - start)}${left.slice(end)}`,
    body,
  );
  walk.findings.push(...walk.inner(`: "${rest.replaceAll('"', '\\"')}"`, span));
}

const makesNothing = new Set([":", "true", "false", "exit", "return"]);

/** The command has no output, so a file that its output is redirected to is truncated. */
function isSilent(walk: Walk, command: SimpleCommand): boolean {
  const [name, ...args] = command.words.flatMap((word) => expandWord(word, walk.variables));
  if (name === undefined || makesNothing.has(name)) return true;
  if (name === "cat") {
    const closed = command.redirects.some(
      ({ operator, target }) =>
        operator.startsWith("<") && /^(-|\/dev\/null|)$/.test(plainText(target)) && operator !== "<<<",
    );
    return args.length > 0 ? args.every((arg) => arg === "/dev/null") : closed;
  }
  if (name === "echo") return args.every((arg) => arg === "-n") && args.length > 0;
  return name === "printf" && args.length <= 1 && (args[0] ?? "") === "";
}

/** Without a command, the redirection belongs to a group with unknown output. */
function judgeRedirect(walk: Walk, redirect: Redirect, command: SimpleCommand | undefined): Feed | undefined {
  const { operator, target, span } = redirect;
  const heredoc = operator === "<" ? walk.scan.heredocs.get(target.span.start) : undefined;
  if (heredoc) {
    if (!heredoc.verbatim) judgeFilledIn(walk, heredoc.body, span);
    return undefined;
  }
  judgeWord(walk, target);
  if (operator === "<<<" || target.pieces.length === 0) return undefined;
  // Every value that the line assigns to a variable in the path.
  const ways = Math.max(1, countWays([target], walk.variables));
  const texts = Array.from({ length: ways }, (_, choice) => expandWord(target, walk.variables, choice)).flat();
  const paths = [...new Set(texts)].map((text) => ({ text, span }));
  for (const path of paths) {
    if (operator.startsWith("<")) readPath(walk, path);
    if (operator === "<") continue;
    writePath(walk, path);
    const empties =
      command !== undefined && (operator === ">" || operator === ">|" || operator === "&>") && isSilent(walk, command);
    if (empties && !/^\/dev\/(null|stdout|stderr|tty|fd\/)/.test(path.text))
      removePath(walk, path, `Empties ${showPattern(path.text)}`);
  }
  const first = paths[0];
  return operator === "<" && first ? { kind: "file", path: first.text } : undefined;
}
