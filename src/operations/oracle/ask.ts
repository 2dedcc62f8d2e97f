// `oracle` itself: a preview of the request, or the run.
import { FailureError, fail } from "../../core/contract/index.ts";
import {
  previewModes,
  statusExit,
  type Options,
  type Preview,
  type PreviewMode,
  type ResolvedRequest,
  type RunOutcome,
  type SessionView,
  type SessionWatch,
} from "../../core/contract/transport/index.ts";
import { choice, flag, optional, text } from "../define/index.ts";
import { define, type OracleContext } from "./context.ts";
import { askSeveral } from "./ask-several.ts";
import { givesApproval, maybe, optionsOf, runFields, session } from "./fields.ts";

const previews = { group: "Preview" };

/** A run that works in its own process, or that was followed until it ended or the caller stopped. */
type WatchedSession =
  | { readonly kind: "started"; readonly view: SessionView }
  | { readonly kind: "watched"; readonly seen: RunOutcome | SessionView };

/** One request to several models. */
export interface SeveralOutcomes {
  readonly kind: "several";
  readonly parts: readonly { readonly model: string; readonly outcome: ModelOutcome }[];
}

export type AskOutcome = ModelOutcome | SeveralOutcomes;

export type ModelOutcome =
  | WatchedSession
  | {
      readonly kind: "preview";
      readonly preview: Preview;
      readonly mode: PreviewMode;
      /** It was asked for as a dry run, not as a report. */
      readonly dryRun: boolean;
      readonly files: boolean;
      /** The whole message, when it was asked for. */
      readonly text: string | null;
    }
  | { readonly kind: "rendered"; readonly text: string }
  | { readonly kind: "copied"; readonly chars: number; readonly by: string };

/** The exit code of a run, also of one that was only followed. */
export function askExit(result: AskOutcome): number {
  if (result.kind === "several") return exitOfSeveral(result);
  // A dry run ends as the run would; a report on files is only a report.
  if (result.kind === "preview" && result.dryRun && result.preview.refusal !== null) return statusExit.error;
  if (result.kind !== "watched") return 0;
  const { seen } = result;
  if (seen.result === null || !("answer" in seen)) return statusExit.error;
  const unwritten = seen.problems.some(({ target }) => target === "result");
  return unwritten && seen.result.status === "success" ? statusExit.error : statusExit[seen.result.status];
}

/** `partial` when some models succeeded; the first code when none did. */
function exitOfSeveral({ parts }: SeveralOutcomes): number {
  const codes = parts.map(({ outcome }) => askExit(outcome));
  if (codes.every((code) => code === 0)) return 0;
  return codes.includes(0) ? statusExit.partial : (codes[0] ?? statusExit.error);
}

/** A run in a process of its own: leave it there, or follow it to its end. */
export async function followSession(
  view: SessionView,
  wait: boolean,
  context: OracleContext,
  streams = !view.record.options.diff.emitOnly,
): Promise<WatchedSession> {
  if (!wait) return { kind: "started", view };
  const { id } = view.record;
  context.say(`session ${id}`);
  const transport = await context.transport();
  return { kind: "watched", seen: await transport.follow(id, watchOf(context, streams)) };
}

/** With --emit-diff-only the answer is not streamed. */
export const watchOf = (context: OracleContext, streams = true): SessionWatch => ({
  onLine: (line) => context.say(line),
  signal: context.signal,
  ...(streams && context.onText ? { onText: (text: string) => context.onText?.(text) } : {}),
});

async function run(resolved: ResolvedRequest, wait: boolean, context: OracleContext): Promise<WatchedSession> {
  for (const warning of resolved.warnings) context.warn(warning);
  if (resolved.engineWhy !== undefined) context.say(`engine ${resolved.request.engine}: ${resolved.engineWhy}`);
  const transport = await context.transport();
  const streams = !resolved.request.diff.emitOnly;
  if (!context.inline) return followSession(await transport.start(resolved), wait, context, streams);
  return { kind: "watched", seen: await transport.runHere(resolved, watchOf(context, streams)) };
}

/** The request may be given without a flag. A single word is more likely a misplaced command, so it is refused. */
function withQuestion(input: Readonly<Record<string, unknown>>, options: Options): Options {
  const { question } = input;
  if (typeof question !== "string") return options;
  if (!/\s/.test(question))
    return fail("invalid_input", `"${question}" alone is not taken for a request.`, {
      remedy: `A command comes first: oracle ${question} …; a request of one word: --prompt "${question}"`,
    });
  if (options.prompt !== undefined || options.promptFile !== undefined)
    return fail("invalid_input", "The request was given twice.", { remedy: "Leave out one of them." });
  return { ...options, prompt: question };
}

/** `--browser` is the same as `--engine browser`. */
function withBrowser(input: Readonly<Record<string, unknown>>) {
  const options = optionsOf(input);
  if (input["browser"] !== true) return options;
  if (options.engine !== undefined && options.engine !== "browser")
    return fail("invalid_input", `--browser and --engine ${options.engine} contradict each other.`, {
      remedy: "Leave one of them out.",
    });
  return { ...options, engine: "browser" as const };
}

interface How {
  readonly wait?: boolean | undefined;
  readonly dryRun?: PreviewMode | undefined;
  readonly render: boolean;
  readonly copyMarkdown: boolean;
  readonly filesReport: boolean;
  readonly countTokens: boolean;
}

/** Beside the printed text: a computer without a clipboard gets a message, not a failure. */
async function copyToo(text: string, context: OracleContext): Promise<void> {
  try {
    context.say(`copied by ${await context.copy(text)}`);
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    context.warn(`Not copied: ${error.failure.message}`);
  }
}

async function askOne(options: Options, how: How, context: OracleContext): Promise<ModelOutcome> {
  const { wait, dryRun: mode, render, filesReport: files, countTokens } = how;
  const transport = await context.transport();
  const resolved = await transport.resolve(options, () => context.stdin());
  if (mode === undefined && render) {
    const text = await transport.render(resolved);
    if (how.copyMarkdown) await copyToo(text, context);
    return { kind: "rendered", text };
  }
  if (how.copyMarkdown) {
    const message = await transport.render(resolved);
    return { kind: "copied", chars: message.length, by: await context.copy(message) };
  }
  if (mode === undefined && !files && !countTokens) return run(resolved, wait ?? true, context);
  const preview = await transport.preview(resolved);
  const text = mode === "full" ? await transport.render(resolved) : null;
  return { kind: "preview", preview, mode: mode ?? "summary", dryRun: mode !== undefined, files, text };
}

export const ask = define({
  name: "",
  group: "",
  summary: "Ask a model",
  effect: "moves",
  decides: givesApproval,
  input: {
    ...runFields,
    question: optional(text("the request, as one quoted text")),
    wait: maybe("Wait for the answer (default).", {
      negative: "Start the run, print its session and leave.",
      ...session,
    }),
    dryRun: optional(
      choice(previewModes, "Show what would be sent and stop.", {
        cli: { value: "mode", alone: "summary", ...previews },
      }),
    ),
    browser: flag("The same as --engine browser.", { cli: { group: "Engine" } }),
    render: flag("Print the whole message and stop.", { cli: previews }),
    copyMarkdown: flag("Put the whole message on the clipboard and stop.", { cli: previews }),
    filesReport: flag("Show what each file costs and stop.", { cli: previews }),
    countTokens: flag("Show about how many tokens it costs (4 bytes a token) and stop.", { cli: previews }),
  },
  handle: async (input, context): Promise<AskOutcome> => {
    const { models, ...options } = withQuestion(input, withBrowser(input));
    if (models === undefined) return askOne(options, input, context);
    return askSeveral(models, options, context, (one, given) => askOne(one, input, given));
  },
  cli: { args: ["question"], exit: askExit },
});
