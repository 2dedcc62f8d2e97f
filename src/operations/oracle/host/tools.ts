// The tools of `oracle mcp`: a request to a model, and the sessions. A model often steers the client, so the options that
// a client may use are fewer than a person's.
import { fail } from "../../../core/contract/index.ts";
import type {
  ConsultOutput,
  Options,
  Preview,
  RunOutcome,
  SessionsOutput,
  SessionView,
  Transport,
} from "../../../core/contract/transport/index.ts";
import { choice, defineFor, flag, number, optional, text, whole, withDefault } from "../../define/index.ts";
import type { AnyOperation } from "../../define/index.ts";
import type { Caller } from "../../perform.ts";
import { givesApproval, omit, optionsOf } from "../fields.ts";
import { approvalCommand } from "./approval.ts";
import { baseFolder, confineOptions, type HostPaths } from "./paths.ts";
import { nothingYet } from "./nothing-yet.ts";
import { consultSeveral } from "./several.ts";

export interface OracleHostContext extends Caller {
  readonly program: "oracle";
  readonly signal: AbortSignal;
  readonly paths: HostPaths;
  transportAt(folder: string): Promise<Transport>;
  /** By the user's own configuration: a client never grants it to itself. */
  mayPush(): Promise<boolean>;
}

const define = defineFor<OracleHostContext>();
const schemas = () => import("../../../core/contract/transport/schema/index.ts");
const argument = (name: string, about?: string) => ({ mcp: { name, ...(about ? { about } : {}) } });

const actionHelp =
  "start: begin and return at once; wait: begin, or take sessionId, and wait; poll: look at sessionId.";
const waitHelp = "Longest wait; the run itself goes on after it.";

export const consult = define({
  name: "consult",
  group: "",
  summary: "ask a model for an MCP client",
  effect: "moves",
  decides: givesApproval,
  input: {
    // A client may not send the user's key elsewhere, reach other folders, approve, nor show notices.
    ...omit("baseUrl", "approvePath", "root", "notify", "remote"),
    action: withDefault(choice(["start", "wait", "poll"], actionHelp, argument("action", actionHelp)), "wait"),
    sessionId: optional(text("a session", argument("sessionId", "A session of an earlier call, for wait and poll."))),
    waitSeconds: withDefault(number(waitHelp, { min: 0, max: 3600, ...argument("waitSeconds", waitHelp) }), 50),
    dryRun: flag("show it", argument("dryRun", "Show what would be sent, and send nothing.")),
    cwd: optional(text("a folder", argument("cwd", "Folder that paths start from; inside the allowed roots."))),
  },
  async handle(input, context): Promise<ConsultOutput> {
    const { action, sessionId, waitSeconds } = input;
    const { models, ...options } = optionsOf(input);
    const base = baseFolder(context.paths, input.cwd);
    const transport = await context.transportAt(base);
    await checkConsult(options, input, context);
    if (models !== undefined)
      return consultSeveral(models, options, input, {
        transport,
        signal: context.signal,
        confine: (own) => confineOptions(own, base, context.paths),
      });
    const resolved = () => transport.resolve(confineOptions(options, base, context.paths), async () => null);
    if (input.dryRun) return previewOutput(await transport.preview(await resolved()));
    const id = sessionId ?? (await transport.start(await resolved())).record.id;
    if (action === "start" || action === "poll" || waitSeconds === 0) {
      const view = await transport.view(id);
      return sessionOutput(view.result === null ? view : await transport.outcome(id));
    }
    const signal = AbortSignal.any([context.signal, AbortSignal.timeout(waitSeconds * 1000)]);
    return sessionOutput(await transport.follow(id, { onLine: () => undefined, signal }));
  },
  mcp: {
    tool: "consult",
    title: "Consult a model",
    description:
      "Ask a model, with files of the project attached. Returns the answer, or the session to poll when it takes longer. With diff options a unified diff in the answer is extracted, checked and, if asked for, applied and committed.",
    // It can change the work tree and push, and data leaves the machine.
    annotations: { destructiveHint: true, idempotentHint: false, openWorldHint: true },
    output: async () => (await schemas()).consultOutputSchema(),
    text: consultText,
  },
});

async function checkConsult(
  options: Options,
  { action, sessionId }: { readonly action: string; readonly sessionId?: string | undefined },
  context: OracleHostContext,
): Promise<void> {
  if (sessionId !== undefined && options.prompt !== undefined)
    fail("invalid_input", "sessionId and prompt were both given.", {
      remedy: "Give a prompt to start a run, or a sessionId to wait for one.",
    });
  const isNew = options.prompt !== undefined || options.promptFile !== undefined;
  if (action !== "poll" && sessionId === undefined && !isNew)
    fail("invalid_input", "There is neither a prompt nor a sessionId.", {
      remedy: "Give a prompt to start a run, or a sessionId to wait for one.",
    });
  if (action === "poll" && sessionId === undefined)
    fail("invalid_input", "poll needs a sessionId.", { remedy: "Start a run first." });
  if (options.push === true && !(await context.mayPush()))
    fail("permission_denied", "push: the user lets no MCP client push.", {
      remedy:
        'Leave push away: the person can push the commit. The user allows it with "mcpPush": true in ~/.oracle/config.json.',
    });
}

const mostFiles = 500;

function previewOutput({ bundle, secretScan, ...preview }: Preview): ConsultOutput {
  const { engine, model, target, promptChars, attachments, tokens, warnings } = preview;
  const files = bundle.files.slice(0, mostFiles);
  const excluded = bundle.excluded.slice(0, mostFiles);
  return {
    ...nothingYet,
    status: "dry_run",
    done: true,
    preview: {
      engine,
      model,
      target,
      promptChars,
      files: files.map(({ path, bytes, tokens: cost }) => ({ path, bytes, tokens: cost })),
      excluded: excluded.map(({ path, reason }) => ({ path, reason })),
      attachments: [...attachments],
      tokens,
      secrets: secretScan.matches,
      warnings: [...warnings],
      refusal: preview.refusal,
      bundle: {
        format: bundle.format,
        fileCount: bundle.fileCount,
        uncompressedBytes: bundle.uncompressedBytes,
        plannedPath: bundle.plannedPath,
      },
    },
  };
}

const longestAnswer = 200_000;

function sessionOutput(seen: RunOutcome | SessionView): ConsultOutput {
  const { record, result, folder } = seen;
  const answer = "answer" in seen ? seen.answer : null;
  return {
    ...nothingYet,
    sessionId: record.id,
    status: record.status,
    done: result !== null,
    folder,
    answer: answer === null ? null : answer.slice(0, longestAnswer),
    answerTruncated: (answer?.length ?? 0) > longestAnswer,
    diff: "diff" in seen ? seen.diff : null,
    result,
    approval: approvalCommand(seen),
  };
}

/** Some clients show only the text to a model: a run that did not succeed says so first. */
function consultText({ sessionId, status, answer, result, preview, approval, several }: ConsultOutput): string {
  if (several !== null)
    return several
      .map((one) =>
        `## ${one.model}: ${one.status} (session ${one.sessionId ?? "none"})\n\n${one.answer ?? ""}`.trimEnd(),
      )
      .join("\n\n");
  if (preview !== null)
    return `Nothing was sent. ${preview.files.length} files, about ${preview.tokens.count} tokens, to ${preview.target} as ${preview.model}.`;
  if (result === null || result.status === "success") return answer ?? `Session ${sessionId} is ${status}.`;
  const { diffReason, gitApplyError, gitCommitError, error } = result;
  const why = [diffReason, gitApplyError, gitCommitError, error?.message, error?.remedy].filter(Boolean);
  const person = approval === null ? null : `Only a person can approve it, by running: ${approval}`;
  return [`${status}: ${why.join("; ")} (session ${sessionId})`, person, answer].filter(Boolean).join("\n\n");
}

const hostSessions = define({
  name: "sessions",
  group: "",
  summary: "list, show or cancel sessions for an MCP client",
  effect: "moves",
  input: {
    action: withDefault(choice(["list", "show", "cancel"], "what to do", argument("action")), "list"),
    sessionId: optional(text("a session", argument("sessionId", "For show and cancel."))),
    limit: withDefault(whole("how many", { min: 1, max: 200, ...argument("limit") }), 20),
  },
  async handle({ action, sessionId, limit }, context): Promise<SessionsOutput> {
    const transport = await context.transportAt(context.paths.roots[0] ?? ".");
    if (action === "list")
      return {
        sessions: (await transport.list()).slice(0, limit).map(({ id, view, upstream }) => ({
          id,
          status: view?.record.status ?? (upstream === null ? "unreadable" : "upstream"),
          createdAt: (view?.record ?? upstream)?.createdAt ?? null,
          model: (view?.record ?? upstream)?.model ?? null,
          promptPreview: (view?.record ?? upstream)?.promptPreview ?? null,
          result: null,
        })),
      };
    const id = sessionId ?? fail("invalid_input", `${action} needs a sessionId.`);
    const { record, result } = action === "cancel" ? await transport.cancel(id) : await transport.view(id);
    const { status, createdAt, model, promptPreview } = record;
    return { sessions: [{ id, status, createdAt, model, promptPreview, result }] };
  },
  mcp: {
    tool: "sessions",
    title: "Sessions",
    description: "List the sessions of earlier and running consultations, show the result of one, or cancel one.",
    annotations: { idempotentHint: true, openWorldHint: false },
    output: async () => (await schemas()).sessionsOutputSchema(),
    text: ({ sessions }) => sessions.map(({ id, status }) => `${id}: ${status}`).join("\n"),
  },
});

export const oracleTools: readonly AnyOperation<OracleHostContext>[] = [consult, hostSessions];
