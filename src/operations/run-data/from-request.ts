// A pull request as the beginning of a run: its open comments and the logs of its failed checks are quoted, its branch is the
// base, and the run that made the branch gives agents, criteria, paths and what is left of its budget.
import { fail, plainLine } from "../../core/contract/index.ts";
import { warningsOf } from "../../core/crew/issue/index.ts";
import { failedChecks, requestTexts, type ForgeRequest, type QuotedText } from "../../core/crew/request/index.ts";
import type { Context, ForgePort, RequestBase } from "../context/index.ts";
import { againOptions } from "./again.ts";
import type { RunOptions } from "./begin.ts";
import { forgeNumber } from "./forge-number.ts";
import type { BeginsWith } from "./quoted.ts";

interface Wanted {
  readonly id: string;
  readonly goal: string | undefined;
  readonly anyBranch: boolean;
}

/** The event of a run holds at most so many. */
const mostQuoted = 10;
const mostWarnings = 20;

function refuseUnfit({ number, state, fork, comments }: ForgeRequest, failed: number, goal: string | undefined): void {
  if (state !== "open")
    fail("conflict", `Pull request ${number} is ${state}, so a commit on its branch would reach nobody.`, {
      remedy: "Open it again on its page, or begin a run of its own: thehood run --issue-file FILE",
    });
  if (fork)
    fail("invalid_input", `The branch of pull request ${number} is in another repository.`, {
      remedy: "Clone the repository that holds the branch, check it out, and start an ordinary run there.",
    });
  if (comments.length === 0 && failed === 0 && goal === undefined)
    fail(
      "invalid_input",
      `Pull request ${number} has no open comment and no failed check, so there is nothing to do.`,
      {
        remedy: `Say what is wanted: thehood run --pr ${number} "goal". If its checks are still running, wait for them: thehood pr watch`,
      },
    );
}

async function textsOf(request: ForgeRequest, forge: ForgePort, context: Context): Promise<QuotedText[]> {
  const logs = new Map<string, string>();
  for (const check of failedChecks(request)) logs.set(check.name, await forge.log(check));
  const texts: QuotedText[] = [];
  let secrets = 0;
  for (const { name, text } of requestTexts(request, logs)) {
    const judged = await context.ports.judges.secrets(text);
    const named = await context.ports.judges.secrets(name);
    secrets += judged.matches.length + named.matches.length;
    texts.push({ name: named.redacted, text: judged.redacted });
  }
  if (secrets > 0)
    context.tell("A secret in the pull request was replaced by ***REDACTED*** before anything was stored.");
  return texts;
}

const warningsIn = (texts: readonly QuotedText[]): string[] => [
  ...new Set(texts.flatMap(({ name, text }) => warningsOf({ title: name, body: text, url: "" }))),
];

/** A limit that the user names now goes over what is left; where nothing is left, the run is refused before it begins. */
function budgetLeft(made: NonNullable<RequestBase["made"]>, changes: Partial<RunOptions>): Partial<RunOptions> {
  const { runId, left } = made;
  const rows = [
    ["maxIterations", "--max-iterations", changes.maxIterations, left.answers],
    ["maxTokens", "--max-tokens", changes.maxTokens, left.tokens],
    ["maxUsd", "--max-usd", changes.maxUsd, left.usd],
    ["maxMinutes", "--max-minutes", changes.maxMinutes, left.minutes],
  ] as const;
  const over = rows.filter(([, , named, rest]) => named === undefined && rest !== null && rest <= 0);
  if (over.length > 0)
    fail("approval_required", `Nothing is left of the budget of ${runId}, which made this branch.`, {
      remedy: `Give this run its own: ${over.map(([, option]) => `${option} N`).join(" ")}`,
    });
  return Object.fromEntries(
    rows.flatMap(([key, , named, rest]) => ((named ?? rest) === null ? [] : [[key, named ?? rest]])),
  );
}

export function refuseTwoBeginnings({ issue, issueFile, after }: BeginsWith, { mode }: Pick<RunOptions, "mode">): void {
  if ([issue, issueFile, after].some((other) => other !== undefined) || mode !== "implement")
    fail("invalid_input", "--pr begins a run that edits, and nothing else begins the same run.", {
      remedy: "Leave out --issue, --issue-file, --after and --mode.",
    });
}

export async function fromRequest(
  { id, goal, anyBranch }: Wanted,
  changes: Partial<RunOptions>,
  context: Context,
): Promise<RunOptions> {
  if (changes.toBranch !== undefined || changes.commit === true)
    fail("invalid_input", "--pr names the branch that the work goes to.", {
      remedy: "Leave out --branch and --commit.",
    });
  const forge = await context.ports.forge(context.folder);
  const request = await forge.request(forgeNumber(id, forge));
  const failed = failedChecks(request).length;
  refuseUnfit(request, failed, goal);
  const base = await baseOf(request, anyBranch, context);
  const texts = await textsOf(request, forge, context);
  const earlier = base.made && (await againOptions(base.made.runId, changes, context));
  const { number, branch, head } = request;
  const title = (await context.ports.judges.secrets(request.title)).redacted;
  return {
    ...(earlier ?? changes),
    ...(base.made ? budgetLeft(base.made, changes) : {}),
    mode: "implement",
    goal:
      goal ?? plainLine(`Answer the open comments and repair the failed checks of pull request ${number}: ${title}`),
    quoted: [...texts, ...(earlier?.quoted ?? [])].slice(0, mostQuoted),
    quotedWarnings: [...warningsIn(texts), ...(earlier?.quotedWarnings ?? [])].slice(0, mostWarnings),
    follows: base.made ? { runId: base.made.runId, how: "revision" } : undefined,
    ...(base.checkedOut ? { commit: true } : { toBranch: branch, continuesAt: head }),
  };
}

async function baseOf({ branch, head }: ForgeRequest, anyBranch: boolean, context: Context): Promise<RequestBase> {
  await using runs = await context.ports.runs(context.folder);
  return runs.requestBase({ branch, head, anyBranch });
}
