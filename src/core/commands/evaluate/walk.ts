// Walks the syntax tree: finds the commands, their current folder and their input. The tables of programs judge a single
// command.
import type { CommandClass, Span } from "../../contract/index.ts";
import type { Feed } from "../call.ts";
import { type JudgeText, type Setting, type Tree, descend } from "./tree.ts";
import type { Cwd } from "../paths/path-class.ts";
import { Disagreement, type Nested, type SimpleCommand, type Word, readSimpleCommand } from "../lexer/lexer.ts";
import { evaluatesQuotedCode } from "../lexer/arithmetic.ts";
import type { Prescan } from "../lexer/prescan.ts";
import { findSubstitutions } from "../lexer/substitutions.ts";
import { type CommandFinding, isGatedClass, severity } from "../verdict.ts";
import { judgeSimple } from "./simple.ts";
import { collectVariables, nestedRanges } from "./survey.ts";
import { judgeArgument, variableIn } from "./argument.ts";
import { staticOutput } from "./feed.ts";
import { callsItsArguments, functionName, isForkBomb, sureFunctions, variablesSet } from "./names.ts";
import { assignmentRisk, isSecretName } from "../variables.ts";

const simpleTypes = new Set([
  "command",
  "declaration_command",
  "unset_command",
  "variable_assignment",
  "variable_assignments",
]);
const accountable = new Set([
  "command_name",
  "file_redirect",
  "herestring_redirect",
  "variable_assignment",
  "declaration_command",
  "unset_command",
]);
const scopedTypes = new Set(["subshell", "command_substitution", "process_substitution"]);

const chainTypes = new Set(["list", "pipeline", "negated_command"]);

/** The command at the end of a chain. */
function rightmost(node: Tree): Tree {
  const last = node.children.findLast((child) => child.named);
  return chainTypes.has(node.type) && last ? rightmost(last) : node;
}

const isChain = (stage: Tree) =>
  chainTypes.has(stage.type === "redirected_statement" ? (stage.children[0]?.type ?? "") : stage.type);

export class Walk {
  readonly findings: CommandFinding[] = [];
  readonly text: string;
  readonly scan: Prescan;
  readonly setting: Setting;
  /** Functions that are certainly defined, with the offset after their definition. */
  functions: ReadonlyMap<string, number> = new Map();
  /** The current folder after a call of the function. */
  readonly leaves = new Map<string, Cwd>();
  variables: ReadonlyMap<string, readonly Word[]> = new Map();
  cwd: Cwd;
  /** A function body runs its own arguments as a command. */
  runsArguments = false;
  private readonly judgeText: JudgeText;
  private nested: Nested = new Map();
  /** The ranges that were judged, to detect parts that were not. */
  private readonly judged: Span[] = [];
  /** The offsets of substitutions that the walk has judged. */
  private readonly substituted = new Set<number>();
  /** The ends of commands that are longer than their node. */
  private readonly ends = new Map<Tree, number>();

  constructor(scan: Prescan, setting: Setting, judgeText: JudgeText) {
    this.scan = scan;
    this.text = scan.text;
    this.setting = setting;
    this.judgeText = judgeText;
    this.cwd = setting.cwd;
  }

  report(name: CommandClass, why: string, span: Span, gated = isGatedClass(name)): void {
    this.findings.push({ class: name, why, span: this.setting.locate(span), gated });
  }

  /** Judges other text that this line runs; its parts are shown at `span`. */
  inner(text: string, span: Span, more: Partial<Pick<Setting, "feed" | "cwd">> = {}): CommandFinding[] {
    const shown = this.setting.locate(span);
    const setting = {
      ...this.setting,
      depth: this.setting.depth + 1,
      cwd: this.cwd,
      feed: { kind: "none" } as Feed,
      locate: () => shown,
    };
    return this.judgeText(text, { ...setting, ...more });
  }

  visit(root: Tree): void {
    this.nested = nestedRanges(root, this.text);
    this.variables = collectVariables(root, this.text, this.nested, (tree) => this.lex(tree));
    this.functions = sureFunctions(root, this.text);
    this.node(root, this.setting.feed);
    this.account(root);
    this.substitutions();
    for (const { name, span } of variablesSet(root, this.text)) {
      const risk = assignmentRisk(name, "", false);
      if (risk !== undefined) this.report("unknown", risk, span);
    }
    if (evaluatesQuotedCode(this.text))
      this.report("unknown", "Arithmetic may run code inside a quoted text", {
        start: 0,
        end: this.text.length,
      });
  }

  /** The shell also runs substitutions that the grammar does not parse; each is judged separately. */
  private substitutions(): void {
    const { found, whole } = findSubstitutions(this.text);
    if (!whole) this.report("unknown", "A substitution has no end", { start: 0, end: this.text.length });
    let reach = 0;
    for (const { start, end, text } of found) {
      if (start < reach || this.substituted.has(start)) continue;
      this.findings.push(...this.inner(text, { start, end }));
      reach = end;
    }
  }

  /** A line may be ungated only when every command and redirection in it was judged. */
  private account(root: Tree): void {
    const ranges = this.judged.toSorted((a, b) => a.start - b.start);
    let next = 0;
    let reach = 0;
    for (const node of descend(root)) {
      if (!accountable.has(node.type)) continue;
      for (; (ranges[next]?.start ?? Infinity) <= node.start; next += 1)
        reach = Math.max(reach, ranges[next]?.end ?? 0);
      if (node.end > reach) this.report("unknown", "A part of the line that was not judged", node);
    }
  }

  private node(node: Tree, feed: Feed): void {
    if (node.missing) return this.report("unknown", "Something is missing here", node);
    if (simpleTypes.has(node.type)) return this.simple(node, feed);
    if (scopedTypes.has(node.type)) return this.scoped(node, feed);
    switch (node.type) {
      case "redirected_statement":
        return this.redirected(node, feed);
      case "pipeline":
        return this.pipeline(node, feed);
      case "function_definition":
        return this.functionDefinition(node);
      case "file_redirect":
      case "herestring_redirect":
        return this.simple(node, feed);
      case ";;":
        return this.report("unknown", "Found something where no command can be", node);
      case "case_item":
        return node.children.filter((child) => child.type !== ";;").forEach((child) => this.node(child, feed));
      case "test_command":
        return this.test(node, feed);
      default:
        this.inspect(node);
    }
    for (const child of node.children) this.node(child, feed);
  }

  /** A change of folder inside has no effect outside. */
  private scoped(node: Tree, feed: Feed): void {
    const before = this.cwd;
    const lead = /^\s*/.exec(this.text.slice(node.start, node.end))?.[0].length ?? 0;
    this.substituted.add(node.start + lead);
    if (this.text[node.start] === "`") this.backticks(node);
    else for (const child of node.children) this.node(child, feed);
    this.cwd = before;
  }

  /** Between backticks the backslash has other rules, so the text is parsed again. */
  private backticks(node: Tree): void {
    this.judged.push({ start: node.start, end: node.end });
    const inner = this.text.slice(node.start + 1, node.end - 1).replaceAll(/\\([$`\\])/g, "$1");
    this.findings.push(...this.inner(inner, node));
  }

  private pipeline(node: Tree, feed: Feed): void {
    const stages = node.children.filter((child) => child.named && child.type !== "comment");
    let before = this.cwd;
    let next = feed;
    for (const stage of stages) {
      this.cwd = before;
      this.node(stage, next);
      // The grammar parses `cd a && b < c | d` as one pipe from a list; for the shell the pipe is part of the list.
      if (isChain(stage)) before = this.cwd;
      next = staticOutput(this.lexStage(stage), this, next) ?? { kind: "unknown", span: stage };
    }
    this.cwd = before;
  }

  private lexStage(stage: Tree): SimpleCommand | undefined {
    if (this.isSimpleRedirect(stage)) return this.lex(stage);
    const last = rightmost(stage.type === "redirected_statement" ? (stage.children[0] ?? stage) : stage);
    return last.type === "command" ? this.lex(last) : undefined;
  }

  private isSimpleRedirect(node: Tree): boolean {
    const body = node.children[0];
    return (
      node.type === "redirected_statement" && (!body || body.type === "file_redirect" || simpleTypes.has(body.type))
    );
  }

  private redirected(node: Tree, feed: Feed): void {
    if (this.isSimpleRedirect(node)) return this.simple(node, feed);
    const body = node.children[0] as Tree;
    const last = rightmost(body);
    if (last !== body && simpleTypes.has(last.type)) {
      // The grammar assigns the redirection to the whole list; the shell assigns it to the last command.
      this.ends.set(last, node.end);
      this.node(body, feed);
      return node.children.slice(1).forEach((child) => this.parts(child));
    }
    const after = this.text.slice(body.end, node.end);
    const shift = body.end + (after.length - after.trimStart().length);
    const redirects = this.lexFrom(shift, node.end);
    if (!redirects || redirects.words.length > 0) {
      if (redirects) this.report("unknown", "A redirection that cannot be followed", node);
      return this.node(body, feed);
    }
    this.judged.push({ start: shift, end: node.end });
    const next = judgeSimple(this, redirects, node, feed, true) ?? feed;
    for (const child of node.children.slice(1)) this.parts(child);
    this.node(body, next);
  }

  private simple(node: Tree, feed: Feed): void {
    const end = this.ends.get(node) ?? node.end;
    this.judged.push({ start: node.start, end });
    const command = this.lex(node);
    if (command) judgeSimple(this, command, { start: node.start, end }, feed);
    this.parts(node);
  }

  /** For a parse error: judges the line as one command if it has no operators. It only adds findings. */
  asOneCommand(): void {
    const whole = { start: 0, end: this.text.length };
    const command = this.lexFrom(whole.start, whole.end);
    if (command && this.text.slice(command.end).trim() === "") judgeSimple(this, command, whole, this.setting.feed);
  }

  /** Below a simple command only substitutions are separate commands. */
  private parts(node: Tree): void {
    if (scopedTypes.has(node.type)) return this.scoped(node, { kind: "none" });
    if (node.type !== "simple_expansion") this.inspect(node);
    for (const child of node.children) this.parts(child);
  }

  private inspect(node: Tree): void {
    for (const { class: name, why } of judgeArgument(node, this.text)) this.report(name, why, node);
    const variable = variableIn(node, this.text);
    if (
      variable !== undefined &&
      isSecretName(variable) &&
      !this.variables.has(variable) &&
      node.type === "simple_expansion"
    )
      this.report("credential_sensitive", `The value of ${variable} is a secret`, node);
  }

  /** `[` is a command like any other, and `>` in it a redirection; `[[` is syntax. */
  private test(node: Tree, feed: Feed): void {
    if (!this.text.startsWith("[[", node.start)) return this.simple(node, feed);
    this.inspect(node);
    for (const child of node.children) this.parts(child);
  }

  /** The grammar gives the range of the command, the lexer its words; both must end at the same offset. */
  private lex(node: Tree): SimpleCommand | undefined {
    const end = this.ends.get(node) ?? node.end;
    const command = this.lexFrom(node.start, end);
    if (command && this.text.slice(command.end, end).trim() !== "") {
      const left = { start: command.end, end };
      this.report("unknown", "The line can be read in more than one way", left);
      const found = this.inner(this.text.slice(command.end, end).replace(/^[\s;&|]+/, ""), left);
      this.findings.push(...found.filter((finding) => severity(finding.class) > severity("unknown")));
    }
    return command;
  }

  private lexFrom(start: number, end: number): SimpleCommand | undefined {
    try {
      return readSimpleCommand(this.text, start, end, this.nested);
    } catch (error) {
      if (!(error instanceof Disagreement)) throw error;
      this.report("unknown", `${error.message}; the line can be read in more than one way`, { start, end });
      return undefined;
    }
  }

  private functionDefinition(node: Tree): void {
    const name = functionName(node, this.text);
    const before = this.cwd;
    const body = node.children.at(-1);
    if (!body) return;
    if (isForkBomb(name, body, this.text))
      this.report("destructive", `${name} calls itself without end: a fork bomb`, node);
    this.runsArguments ||= callsItsArguments(body, this.text);
    this.node(body, { kind: "none" });
    if (this.cwd !== before) this.leaves.set(name, this.cwd.kind === "outside" ? this.cwd : { kind: "unknown" });
    this.cwd = before;
  }
}
