// The tool `consult`: start a run, wait for one, or look at it. The options are those of the command line (Z-14).
import { existsSync, statSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import { z } from "zod";
import { fail } from "../../../core/contract/index.ts";
import type {
  Options,
  Preview,
  RunOutcome,
  SessionView,
  Transport,
} from "../../../core/contract/transport/index.ts";
import { optionsSchema, resultSchema } from "../../../core/contract/transport/schema/index.ts";
import { refusedForHost } from "../../../operations/index.ts";
import { isUnder } from "../roots.ts";
import { confine } from "./roots.ts";

/** A client is often steered by a model: it may not send the user's key elsewhere, reach other folders, ask many models at
 * once, nor give the user's approval. */
const offered = optionsSchema.omit({ baseUrl: true, approvePath: true, root: true, models: true });

export const consultInput = offered.extend({
  action: z
    .enum(["start", "wait", "poll"])
    .default("wait")
    .describe(
      "start: begin and return at once; wait: begin, or take sessionId, and wait; poll: look at sessionId.",
    ),
  sessionId: z.string().optional().describe("A session of an earlier call, for wait and poll."),
  waitSeconds: z
    .number()
    .min(0)
    .max(3600)
    .default(50)
    .describe("Longest wait; the run itself goes on after it."),
  dryRun: z.boolean().default(false).describe("Show what would be sent, and send nothing."),
  cwd: z.string().optional().describe("Folder that paths start from; inside the allowed roots."),
});
export type ConsultInput = z.infer<typeof consultInput>;

/** The files that would be sent: names and sizes, no content. */
const previewSchema = z.object({
  engine: z.string(),
  model: z.string(),
  target: z.string(),
  promptChars: z.number(),
  files: z.array(z.object({ path: z.string(), bytes: z.number(), tokens: z.number() })),
  excluded: z.array(z.object({ path: z.string(), reason: z.string() })),
  attachments: z.array(z.object({ name: z.string(), bytes: z.number(), mediaType: z.string() })),
  tokens: z.object({
    count: z.number(),
    exact: z.boolean(),
    budget: z.number(),
    inputUsd: z.number().nullable(),
  }),
  secrets: z.array(z.string()),
  warnings: z.array(z.string()),
});

export const consultOutput = z.object({
  sessionId: z.string().nullable().describe("Null for a dry run."),
  status: z.string(),
  done: z.boolean(),
  folder: z.string().nullable(),
  answer: z.string().nullable(),
  answerTruncated: z.boolean(),
  diff: z.string().nullable(),
  result: resultSchema.nullable(),
  preview: previewSchema.nullable().describe("For a dry run."),
});
export type ConsultOutput = z.infer<typeof consultOutput>;

const longestAnswer = 200_000;

export interface ConsultDeps {
  readonly transportAt: (cwd: string) => Promise<Transport>;
  readonly mayPush: () => Promise<boolean>;
  readonly roots: readonly string[];
  readonly signal: AbortSignal;
}

export async function consult(input: ConsultInput, deps: ConsultDeps): Promise<ConsultOutput> {
  const { action, sessionId, waitSeconds, cwd, dryRun, ...options } = input;
  const base = confine(deps.roots, deps.roots[0] ?? "", cwd ?? ".", "cwd");
  const transport = await deps.transportAt(base);
  if (sessionId !== undefined && options.prompt !== undefined)
    return fail("invalid_input", "sessionId and prompt were both given.", {
      remedy: "Give a prompt to start a run, or a sessionId to wait for one.",
    });
  if (action === "poll" && sessionId === undefined)
    return fail("invalid_input", "poll needs a sessionId.", { remedy: "Start a run first." });
  if (options.push === true && !(await deps.mayPush()))
    return fail("permission_denied", "push: the user lets no MCP client push.", {
      remedy:
        'Leave push away: the person can push the commit. The user allows it with "mcpPush": true in ~/.oracle/config.json.',
    });
  if (dryRun)
    return previewed(await transport.preview(await resolved(transport, options, base, deps.roots), false));
  const id = sessionId ?? (await start(transport, options, base, deps.roots));
  if (action === "start" || action === "poll" || waitSeconds === 0) return told(await current(transport, id));
  const limit = AbortSignal.any([deps.signal, AbortSignal.timeout(waitSeconds * 1000)]);
  return told(await transport.follow(id, { onLine: () => undefined, signal: limit }));
}

async function current(transport: Transport, id: string): Promise<RunOutcome | SessionView> {
  const view = await transport.view(id);
  return view.result === null ? view : await transport.outcome(id);
}

async function start(
  transport: Transport,
  options: Options,
  base: string,
  roots: readonly string[],
): Promise<string> {
  return (await transport.start(await resolved(transport, options, base, roots))).record.id;
}

const resolved = (transport: Transport, options: Options, base: string, roots: readonly string[]) =>
  transport.resolve(confineOptions(options, base, roots), async () => null);

const mostFiles = 500;

function previewed({ bundle, secretScan, ...shown }: Preview): ConsultOutput {
  const { engine, model, target, promptChars, attachments, tokens, warnings } = shown;
  return {
    sessionId: null,
    status: "dry_run",
    done: true,
    folder: null,
    answer: null,
    answerTruncated: false,
    diff: null,
    result: null,
    preview: {
      engine,
      model,
      target,
      promptChars,
      files: bundle.files
        .slice(0, mostFiles)
        .map(({ path, bytes, tokens: cost }) => ({ path, bytes, tokens: cost })),
      excluded: bundle.excluded.slice(0, mostFiles).map(({ path, reason }) => ({ path, reason })),
      attachments: [...attachments],
      tokens,
      secrets: secretScan.matches,
      warnings: [...warnings],
    },
  };
}

const paths = ["promptFile", "diffOutput", "jsonOutput", "metricsOutput", "writeOutput", "gitRoot"] as const;

function confineOptions(options: Options, base: string, roots: readonly string[]): Options {
  const confined: Options = { ...options };
  for (const name of paths) {
    const path = options[name];
    if (path === undefined) continue;
    const real = confine(roots, base, path, name);
    if (name !== "gitRoot") refuseTouchy(name, real, roots);
    confined[name] = real;
  }
  // Without --git-root the repository around the folder is used, and that may begin above the roots.
  if (options.applyMode !== undefined && options.applyMode !== "none") confined.gitRoot ??= base;
  for (const name of ["file", "browserBundleFiles"] as const)
    for (const pattern of options[name] ?? []) checkPattern(pattern, roots);
  return confined;
}

/** A client is often steered by a model, whose text goes into the tree as a judged patch and in no other way. */
function refuseTouchy(name: (typeof paths)[number], path: string, roots: readonly string[]): void {
  const root = roots.find((one) => isUnder(one, path)) ?? "";
  const why =
    refusedForHost(relative(root, path), name === "promptFile" ? "read" : "write") ??
    (name === "writeOutput" && existsSync(path) ? "a file that exists already" : undefined) ??
    (name === "promptFile" && !isReadable(path) ? "no file that can be read in a moment" : undefined);
  if (why !== undefined)
    fail("permission_denied", `${name}: ${path} is ${why}.`, {
      remedy: "Name another file; a person can do it with the command line.",
    });
}

const mostPromptBytes = 16 << 20;

/** A pipe, a device or a file without end would hold up every client. */
function isReadable(path: string): boolean {
  try {
    const found = statSync(path);
    return found.isFile() && found.size <= mostPromptBytes;
  } catch {
    // Nothing is there: the reader says so in its own words.
    return true;
  }
}

/** The selection itself follows no link out of its folder; here it is kept from starting elsewhere. */
function checkPattern(pattern: string, roots: readonly string[]): void {
  const path = pattern.replace(/^!/, "").replaceAll("\\", "/");
  const climbs = path.split("/").includes("..");
  if (climbs || (isAbsolute(path) && !roots.some((root) => path === root || path.startsWith(`${root}/`))))
    fail("permission_denied", `${pattern} leads out of the folders this client may use.`, {
      remedy: `Allowed: ${roots.join(", ")}`,
    });
}

function told(seen: RunOutcome | SessionView): ConsultOutput {
  const { record, result, folder } = seen;
  const answer = "answer" in seen ? seen.answer : null;
  return {
    sessionId: record.id,
    status: record.status,
    done: result !== null,
    folder,
    answer: answer === null ? null : answer.slice(0, longestAnswer),
    answerTruncated: (answer?.length ?? 0) > longestAnswer,
    diff: "diff" in seen ? seen.diff : null,
    result,
    preview: null,
  };
}
