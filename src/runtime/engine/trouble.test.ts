// Trouble around the work, and the fence before it: the run stops where it is, and a process that may no longer act does nothing.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FailureError, type RunEvent } from "../../core/contract/index.ts";
import { createSpool } from "../../platform/store/index.ts";
import { bench, created, type Around } from "../../../tests/support/bench.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { slowStore, type SlowStore } from "../../../tests/support/slow-store.ts";
import { createEngine } from "./index.ts";

const by = { kind: "person", surface: "cli" } as const;
const typesOf = (events: readonly { event: RunEvent }[]) => events.map(({ event }) => event.type);

/** Fails the first performance of each effect of this kind. */
function once(kind: string, failure: FailureError): Around {
  let met = false;
  return (effect, go) => {
    if (effect.kind !== kind || met) return go();
    met = true;
    return Promise.reject(failure);
  };
}

describe("[B-17] trouble around the work", () => {
  it.each([
    "git_failed",
    "out_of_resources",
    "permission_denied",
    "timeout",
    "store_full",
    "store_unreachable",
    "store_io",
  ] as const)("of the kind %s stops the run, and the next loop goes on to the end", async (code) => {
    const failure = new FailureError({ code, message: "not now" });
    for (const kind of ["capture_patch", "run_check", "apply_patch", "retire_workspace"]) {
      const { runs } = bench({}, once(kind, failure));
      const { runId } = await created(runs);
      await expect(runs.loop(runId), kind).rejects.toMatchObject({ failure: { code } });
      expect(typesOf(await runs.events(runId))).not.toContain("run_failed");
      expect((await runs.loop(runId)).run.phase.state, kind).toBe("completed");
    }
  });

  it("a fact about the work ends the run", async () => {
    const unsafe = new FailureError({ code: "unsafe_repository", message: "a link in its place" });
    const { runs } = bench({}, once("capture_patch", unsafe));
    const { runId } = await created(runs);
    expect((await runs.loop(runId)).run.phase.state).toBe("failed");
  });
});

describe("[B-16] the fence", () => {
  const atApply = (work: (context: Parameters<Around>[2], runId: string) => Promise<void>): Around => {
    return async (effect, go, context) => {
      if (effect.kind === "apply_patch") await work(context, context.runId);
      return go();
    };
  };

  it("lets a process act that holds the run", async () => {
    const acted: string[] = [];
    const { runs } = bench(
      {},
      atApply((context) => context.fence(() => void acted.push("moved"))),
    );
    const { runId } = await created(runs);
    expect((await runs.loop(runId)).run.phase.state).toBe("completed");
    expect(acted).toEqual(["moved"]);
  });

  it("is shut once the run was aborted by another process, and nothing is applied", async () => {
    const acted: string[] = [];
    const folder = tempFolder("fence-");
    const other = bench({}, undefined, folder);
    const { runs } = bench(
      {},
      atApply(async (context, runId) => {
        await other.runs.submit(runId, { type: "abort", reason: "stop", by });
        await context.fence(() => void acted.push("moved"));
      }),
      folder,
    );
    const { runId } = await created(runs);
    expect((await runs.loop(runId)).run.phase.state).toBe("aborted");
    expect(acted).toEqual([]);
    expect(typesOf(await runs.events(runId))).not.toContain("patch_applied");
  });

  it("is shut for a process that slept while another took the run over", async () => {
    const acted: string[] = [];
    const { runs, deps } = bench(
      {},
      atApply(async (context, runId) => {
        const held = await deps.leases.holder(runId);
        await deps.leases.release(runId, held?.token ?? 0);
        await deps.leases.acquire(runId, { pid: 1, startedAt: "x", host: "elsewhere" }, 60_000);
        await context.fence(() => void acted.push("moved"));
      }),
    );
    const { runId } = await created(runs);
    await expect(runs.loop(runId)).rejects.toMatchObject({ failure: { code: "run_busy" } });
    expect(acted).toEqual([]);
  });

  it("a move that was committed before the abort is on record after it", async () => {
    const folder = tempFolder("fence-");
    const other = bench({}, undefined, folder);
    const { runs } = bench(
      {},
      async (effect, go, context) => {
        if (effect.kind !== "apply_patch") return go();
        await context.fence();
        const outcome = await go();
        await other.runs.submit(context.runId, { type: "abort", reason: "stop", by });
        return outcome;
      },
      folder,
    );
    const { runId } = await created(runs);
    expect((await runs.loop(runId)).run.phase.state).toBe("aborted");
    expect(typesOf(await runs.events(runId)).filter((type) => type === "patch_applied")).toHaveLength(1);
  });
});

describe("[B-16] a move that was made", () => {
  it("is on record although the run was aborted by this very process while it was made", async () => {
    const made = bench({}, async (effect, go, context) => {
      const outcome = await go();
      if (effect.kind !== "apply_patch") return outcome;
      await made.runs.submit(context.runId, { type: "abort", reason: "stop", by });
      expect(context.signal.aborted).toBe(true);
      return outcome;
    });
    const { runId } = await created(made.runs);
    expect((await made.runs.loop(runId)).run.phase.state).toBe("aborted");
    expect(typesOf(await made.runs.events(runId)).filter((type) => type === "patch_applied")).toHaveLength(1);
  });
});

describe("[B-15] a paid answer", () => {
  it("is kept beside the store when the store cannot be written, and is not asked for again", async () => {
    let slow: SlowStore<RunEvent> | undefined;
    const made = bench({}, undefined, undefined, (store) => (slow = slowStore(store)));
    const runs = createEngine({ ...made.deps, spool: createSpool(made.folder) });
    const { runId } = await created(runs);
    slow?.trouble("lost", (events) => events.some(({ type }) => type === "agent_response"));
    await expect(runs.loop(runId)).rejects.toMatchObject({ failure: { code: "store_io" } });
    const calls = () => made.performed.filter(({ kind }) => kind === "call_provider").map(({ key }) => key);
    expect((await runs.loop(runId)).run.phase.state).toBe("completed");
    expect(made.performed.some(({ kind }) => kind === "reattach_call")).toBe(false);
    expect(new Set(calls()).size).toBe(calls().length);
    // Once it is in the log, nothing of it is left beside the store.
    expect(readdirSync(join(made.folder, "spool"))).toEqual([]);
  });
});
