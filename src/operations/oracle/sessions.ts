// The operations on sessions: list, show, follow, end, repeat, remove.
import { fail } from "../../core/contract/index.ts";
import type { ListedSession, RunOutcome, SessionView } from "../../core/contract/transport/index.ts";
import { flag, list, optional, text, whole, withDefault } from "../define/index.ts";
import { askExit, followSession, watchOf } from "./ask.ts";
import { define } from "./context.ts";

const group = "Commands";
const id = text("the id of a session", { min: 1 });
const timeOption = (help: string) => optional(text(help, { cli: { value: "time" } }));

export interface ListedSessions {
  readonly listed: readonly ListedSession[];
  readonly total: number;
}

export const status = define({
  name: "status",
  group,
  summary: "list sessions",
  effect: "reads",
  input: {
    limit: withDefault(whole("how many (20)", { min: 0, cli: { value: "count" } }), 20),
    all: flag("all of them"),
    hours: optional(whole("only those of the last hours", { min: 1, cli: { value: "count" } })),
  },
  handle: async ({ limit, all, hours }, context): Promise<ListedSessions> => {
    const found = await (await context.transport()).list();
    const from = hours === undefined ? undefined : new Date(Date.now() - hours * 3_600_000).toISOString();
    const sessions =
      from === undefined
        ? found
        : found.filter(({ view, upstream }) => ((view?.record ?? upstream)?.createdAt ?? from) >= from);
    return { listed: all ? sessions : sessions.slice(0, limit), total: sessions.length };
  },
  cli: {},
});

export interface ShownSession {
  readonly view: SessionView;
  /** Null while the session is open. */
  readonly outcome: RunOutcome | null;
}

export const session = define({
  name: "session",
  group,
  summary: "show one session and its answer",
  effect: "reads",
  input: { id },
  handle: async (input, context): Promise<ShownSession> => {
    const transport = await context.transport();
    const view = await transport.view(input.id);
    return { view, outcome: view.result === null ? null : await transport.outcome(input.id) };
  },
  cli: { args: ["id"] },
});

export const attach = define({
  name: "attach",
  group,
  summary: "follow a running session and print its answer",
  effect: "reads",
  input: { id },
  handle: async (input, context) => {
    const transport = await context.transport();
    const streams = !(await transport.view(input.id)).record.options.diff.emitOnly;
    return { kind: "watched" as const, seen: await transport.follow(input.id, watchOf(context, streams)) };
  },
  cli: { args: ["id"], exit: askExit },
});

export interface Cancelled {
  readonly view: SessionView;
  /** The session had ended before the call. */
  readonly late: boolean;
}

export const cancel = define({
  name: "cancel",
  group,
  summary: "end a running session",
  effect: "moves",
  input: { id },
  handle: async (input, context): Promise<Cancelled> => {
    const transport = await context.transport();
    const before = (await transport.view(input.id)).record.status;
    const view = await transport.cancel(input.id);
    return { view, late: before !== "pending" && before !== "running" };
  },
  cli: { args: ["id"] },
});

export const restart = define({
  name: "restart",
  group,
  summary: "run a session's request again, or fetch the answer that waits at the provider",
  effect: "moves",
  input: {
    id,
    fresh: flag("send again even if an answer waits"),
    timeout: timeOption("longest time for this run"),
    noWait: flag("start it and leave"),
  },
  handle: async ({ id: name, fresh, timeout, noWait }, context) => {
    const transport = await context.transport();
    const view = await transport.restart(name, { fresh, ...(timeout === undefined ? {} : { timeout }) });
    return followSession(view, !noWait, context);
  },
  cli: { args: ["id"], exit: askExit },
});

export interface Cleared {
  readonly removed: readonly string[];
  readonly wouldRemove: readonly string[];
}

export const clear = define({
  name: "clear",
  group,
  summary: "remove ended sessions",
  effect: "moves",
  input: {
    ids: list(text("the id of a session"), "the ids of sessions"),
    olderThan: timeOption("those that ended longer ago, e.g. 7d"),
    all: flag("all that have ended, and broken ones"),
    dryRun: flag("only say which"),
  },
  handle: async ({ ids, olderThan, all, dryRun }, context): Promise<Cleared> => {
    if (ids.length === 0 && !all && olderThan === undefined)
      return fail("invalid_input", "Which sessions shall go?", {
        remedy: "Name them, or use --older-than 7d or --all; --dry-run only says which.",
      });
    const transport = await context.transport();
    if (!dryRun && ids.length > 0) await transport.remove(ids);
    const pruned =
      all || olderThan !== undefined ? await transport.prune(all ? null : (olderThan ?? null), dryRun) : [];
    const gone = [...ids, ...pruned];
    return { removed: dryRun ? [] : gone, wouldRemove: dryRun ? gone : [] };
  },
  cli: { args: ["ids"], rest: true },
});
