// Texts of others that a run begins with: an issue, or the report of an earlier run. Secrets in them are replaced before
// anything is stored.
import { fail, plainLine } from "../../core/contract/index.ts";
import { criteriaOf, longestIssue, readIssueText, warningsOf, type Issue } from "../../core/crew/issue/index.ts";
import type { Context, RepositoryRuns } from "../context/index.ts";
import { decoded, type Source } from "../define/index.ts";
import { reportText } from "./answer-text.ts";
import type { RunOptions } from "./begin.ts";
import { forgeNumber } from "./forge-number.ts";

export interface BeginsWith {
  readonly goal?: string | undefined;
  /** The number of an issue, or its address. */
  readonly issue?: string | undefined;
  readonly issueFile?: Source | undefined;
  /** An earlier run. */
  readonly after?: string | undefined;
}

type Quoted = NonNullable<RunOptions["quoted"]>[number];

async function readIssue({ issue, issueFile }: BeginsWith, context: Context): Promise<Issue | undefined> {
  if (issue !== undefined && issueFile !== undefined)
    fail("invalid_input", "--issue and --issue-file name two issues.", { remedy: "Give one of them." });
  if (issue !== undefined) {
    const forge = await context.ports.forge(context.folder);
    return forge.issue(forgeNumber(issue, forge));
  }
  if (issueFile === undefined) return undefined;
  const bytes = await issueFile.bytes();
  const read = readIssueText(decoded(bytes));
  if (read.title === "")
    fail("invalid_input", "The issue has no text.", { remedy: "Its first line is the title; the rest describes it." });
  return read;
}

/** The request with the goal, the criteria and the texts that follow from an issue or an earlier run. */
export async function withQuoted<O extends Omit<RunOptions, "goal">>(
  options: O,
  begins: BeginsWith,
  context: Context,
): Promise<O & RunOptions> {
  const issue = await readIssue(begins, context);
  if (issue) refuseLong(issue);
  const clean = issue && (await withoutSecrets(issue, context));
  const earlier = begins.after === undefined ? undefined : await reportOf(begins.after, context);
  const goal = begins.goal ?? clean?.title;
  if (goal === undefined)
    fail("invalid_input", "A run needs a goal.", {
      remedy: 'Say what is wanted: thehood run "…", or name an issue: --issue 28, --issue-file FILE.',
    });
  const quoted = [...(clean ? [quotedIssue(clean)] : []), ...(earlier ? [earlier.quoted] : [])];
  if (quoted.length === 0) return { ...options, goal };
  return {
    ...options,
    goal,
    acceptanceCriteria: [...(options.acceptanceCriteria ?? []), ...(clean ? criteriaOf(clean) : [])].slice(0, 50),
    quoted,
    quotedWarnings: clean ? warningsOf(clean) : [],
    ...(earlier ? { follows: { runId: earlier.runId, how: "after" as const } } : {}),
  };
}

function refuseLong({ title, body }: Issue): void {
  const length = title.length + body.length;
  if (length > longestIssue)
    fail("invalid_input", `The issue has ${length} characters; at most ${longestIssue} are taken.`, {
      remedy: "Cut logs and pictures out of it, and give the rest with --issue-file.",
    });
}

/** Before anything of it becomes a goal, a criterion or an artifact. */
async function withoutSecrets({ title, body, url }: Issue, context: Context): Promise<Issue> {
  const [head, rest] = [await context.ports.judges.secrets(title), await context.ports.judges.secrets(body)];
  if (head.matches.length + rest.matches.length > 0)
    context.tell("A secret in the issue was replaced by ***REDACTED*** before anything was stored.");
  return { title: head.redacted, body: rest.redacted, url };
}

function quotedIssue({ title, body, url }: Issue): Quoted {
  const number = /\/(\d+)\/?$/.exec(url)?.[1];
  const name = number === undefined ? "issue" : `issue ${number}`;
  return {
    name: plainLine(`${name} (${url === "" ? "from a file" : url}): ${title}`, 200),
    text: `# ${title}\n\n${body}\n`,
  };
}

async function reportOf(wanted: string, context: Context): Promise<{ runId: string; quoted: Quoted }> {
  await using runs = await context.ports.runs(context.folder);
  const runId = await runs.find(wanted);
  await refuseUnapplied(runs, runId);
  const { goal } = await runs.status(runId);
  return {
    runId,
    quoted: { name: plainLine(`report of ${runId}: ${goal}`, 200), text: await reportText(runs, runId) },
  };
}

/** A follow-up stands on the work of the run: work that is not in the checkout is not there to stand on. */
async function refuseUnapplied(runs: RepositoryRuns, runId: string): Promise<void> {
  const { state } = await runs.status(runId);
  const events = (await runs.events(runId)).map(({ event }) => event.type);
  if (state !== "completed")
    fail("invalid_input", `${runId} is ${state.replaceAll("_", " ")}, so there is no finished work to follow up.`, {
      remedy: "Finish it with thehood continue, or start its goal again with thehood rerun.",
    });
  const applied = events.includes("patch_applied") && !events.includes("work_taken_out");
  if (!applied && !(await runs.isCommitted(runId)))
    fail("invalid_input", `The work of ${runId} is not in this checkout.`, {
      remedy: "Check out or merge its branch first, or start its goal again with thehood rerun.",
    });
}
