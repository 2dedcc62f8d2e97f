import { describe, expect, it } from "vitest";
import { FailureError, type RunEvent, fail } from "../../core/contract/index.ts";
import { openGates } from "../../core/machine/index.ts";
import { approve, bench, created, survives, text } from "../../../tests/support/bench.ts";
import { creation } from "../../../tests/support/parts.ts";

describe("the engine", () => {
  it("[R-16] advances a run to its end on a real store and lists it", async () => {
    const { runs, store, folder } = bench();
    const { runId } = await created(runs);
    const { run, stop } = await runs.advance(runId);
    expect(stop).toBe("terminal");
    expect(await bench({}, undefined, folder).runs.read(runId)).toEqual(run);
    expect(run.phase.state).toBe("completed");
    expect(await store.log.row(runId)).toMatchObject({ state: "completed", goal: run.created.goal });
    expect((await store.log.verify()).problems).toEqual([]);
    expect((await runs.events(runId)).map(({ seq }) => seq)).toEqual(
      Array.from({ length: run.seq }, (_, index) => index + 1),
    );
  });

  it("a process whose run was taken over writes nothing more, and says who has it now", async () => {
    const { runs, store } = bench({}, async (effect, go) => {
      const outcome = await go();
      const holder = await store.leases.holder(runId);
      if (effect.kind === "capture_patch" && holder) {
        await store.leases.release(runId, holder.token);
        await store.leases.acquire(runId, { ...holder.owner, host: "elsewhere" }, 60_000);
      }
      return outcome;
    });
    const { runId } = await created(runs);
    await expect(runs.advance(runId)).rejects.toMatchObject({ failure: { code: "run_busy" } });
    expect((await runs.events(runId)).map(({ event }) => event.type)).not.toContain("isolated_patch_captured");
  });

  it("every artifact an event names can be read", async () => {
    const { runs, store } = bench({
      replies: {
        verifier: [
          { payload: { verdict: "revise", summary: "no", failedCriteria: ["x"] } },
          { payload: { verdict: "approve", summary: "yes" } },
        ],
      },
    });
    const { runId } = await created(runs);
    const { run } = await runs.advance(runId);
    expect(run.artifacts.length).toBeGreaterThan(20);
    for (const { ref, bytes } of run.artifacts) expect(await store.artifacts.read(ref)).toHaveLength(bytes);
  });

  it("[R-20] writes the directive before the call: instructions, permissions, contract, memory, marker, excerpts", async () => {
    const { runs, store, performed } = bench();
    const { runId } = await created(runs);
    await runs.advance(runId);
    const call = performed.findLast((effect) => effect.kind === "call_provider" && effect.call.role === "verifier");
    if (call?.kind !== "call_provider") throw new Error("no call");
    const directive = JSON.parse(text.decode(await store.artifacts.read(call.record.directive.ref))) as Record<
      string,
      never
    >;
    expect(directive).toMatchObject({
      kind: "directive",
      role: "verifier",
      toolPermissions: { edit: false },
      outputContract: { name: "verification_result", key: "verificationResult", schema: { type: "object" } },
      directiveAck: { marker: call.record.ack.marker, runId },
      canonicalMemory: { artifactBodyPolicy: "refs_only", currentRun: { runId } },
    });
    expect(JSON.stringify(directive["evidence"])).toContain('"name":"diff"');
  });

  it("[R-20] remembers earlier runs by reference, and not itself", async () => {
    const { runs, store, performed } = bench();
    const first = await created(runs);
    await runs.advance(first.runId);
    const second = await created(runs);
    await runs.advance(second.runId);
    const call = performed.findLast((effect) => effect.kind === "call_provider");
    if (call?.kind !== "call_provider") throw new Error("no call");
    const read = text.decode(await store.artifacts.read(call.record.directive.ref));
    const { canonicalMemory } = JSON.parse(read) as { canonicalMemory: { recentRuns: { runId: string }[] } };
    expect(canonicalMemory.recentRuns.map(({ runId }) => runId)).toEqual([first.runId]);
  });

  it("[R-20] records a directive with the word that its call is sent, and a worker's before its worktree is made", async () => {
    const last: [string, string | undefined][] = [];
    const { runs } = bench({}, async (effect, go) => {
      if (effect.kind === "call_provider") last.push([effect.call.role, (await runs.events(runId)).at(-1)?.event.type]);
      return go();
    });
    const { runId } = await created(runs);
    const reported: string[] = [];
    await runs.advance(runId, { event: ({ event }) => reported.push(event.type) });
    expect(Object.fromEntries(last)).toMatchObject({
      orchestrator: "agent_asked",
      implementer: "agent_directive_created",
      verifier: "agent_asked",
    });
    const sent = reported.flatMap((type, place) => (type === "provider_wait_posted" ? [reported[place - 1]] : []));
    expect(sent).toEqual(last.map(() => "agent_directive_created"));
  });

  it("[S-2] a secret in the evidence does not reach the directive, and is counted", async () => {
    const secret = ["ghp", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("_");
    const { runs, store } = bench({ tree: () => "1".repeat(40) }, async (effect, go) => {
      const outcome = await go();
      if (outcome.kind !== "capture_patch" || !outcome.patch || effect.kind !== "capture_patch") return outcome;
      const full = await store.artifacts.put(`+token = "${secret}"\n`, {
        kind: "diff",
        mediaType: "text/x-diff",
        summary: "full",
      });
      return { ...outcome, patch: { ...outcome.patch, full } };
    });
    const { runId } = await created(runs);
    const { run } = await runs.advance(runId);
    const verifier = run.calls.find(({ record }) => record.role === "verifier");
    expect(verifier?.directive?.redactions).toBeGreaterThan(0);
    expect(text.decode(await store.artifacts.read(verifier?.directive?.directive.ref ?? ""))).not.toContain(secret);
  });

  it("[R-16] the loop stops at a gate and approves nothing", async () => {
    const { runs, performed } = bench();
    const { runId } = await created(runs, { policy: creation().policy });
    const first = await runs.loop(runId);
    expect(first.stop).toBe("approval_required");
    const before = performed.length;
    expect(await runs.loop(runId)).toMatchObject({ stop: "approval_required", steps: 0 });
    expect(performed).toHaveLength(before);
    await approve(runs, runId);
    expect(openGates((await runs.loop(runId)).run)[0]?.kind).toBe("isolated_patch_application");
    await approve(runs, runId);
    expect((await runs.loop(runId)).stop).toBe("terminal");
    expect(await runs.loop(runId)).toMatchObject({ stop: "terminal", steps: 0 });
  });

  it("[R-16] the loop stops at its cycle cap and can be taken up again", async () => {
    const { runs } = bench();
    const { runId } = await created(runs);
    expect(await runs.loop(runId, { maxCycles: 2, maxSteps: 3 })).toMatchObject({
      stop: "max_cycles",
      steps: 6,
    });
    expect((await runs.loop(runId)).run.phase.state).toBe("completed");
  });

  it("tells a listener each event once it is durable, and a watcher sees the same", async () => {
    const { runs, store } = bench();
    const { runId, seq } = await created(runs);
    const reported: number[] = [];
    const heads: Promise<{ seq: number } | undefined>[] = [];
    const watched: string[] = [];
    const watching = (async () => {
      for await (const { stored, run } of runs.watch(runId, 1)) watched.push(`${stored.seq} ${run.phase.state}`);
    })();
    await runs.advance(runId, {
      event: (stored) => {
        reported.push(stored.seq);
        heads.push(store.log.head(runId));
      },
    });
    await watching;
    for (const [index, head] of (await Promise.all(heads)).entries())
      expect(head?.seq).toBeGreaterThanOrEqual(reported[index] ?? Number.NaN);
    const last = (await runs.read(runId)).seq;
    expect(reported).toEqual(Array.from({ length: last - seq }, (_, index) => seq + 1 + index));
    expect(watched).toHaveLength(last);
    expect(watched.at(-1)).toBe(`${last} completed`);
  });

  it("a refused command is a failure and writes nothing", async () => {
    const { runs } = bench();
    const { runId, seq } = await created(runs);
    await expect(
      runs.submit(runId, { type: "reconcile", role: null, by: { kind: "person", surface: "cli" } }),
    ).rejects.toThrow(FailureError);
    expect((await runs.read(runId)).seq).toBe(seq);
    await expect(runs.read("run_nosuchrun")).rejects.toThrow(/no run/);
  });
});

describe("one run, several hands", () => {
  it("a second engine cannot advance a run that is being advanced, and says who holds it", async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const one = bench({}, async (_, go) => (await gate, go()));
    const two = bench({}, undefined, one.folder);
    const { runId } = await created(one.runs);
    const advancing = one.runs.advance(runId);
    await expect(two.runs.advance(runId)).rejects.toMatchObject({
      failure: { code: "run_busy", message: expect.stringContaining(`process ${process.pid}`) },
    });
    const waiting = two.runs.advance(runId, { waitMs: 20_000 });
    release();
    expect((await advancing).stop).toBe("terminal");
    expect(await waiting).toMatchObject({ stop: "terminal", steps: 0 });
    expect(two.performed).toEqual([]);
  });

  it("a command submitted by another process while an effect is under way is kept, and the effect's outcome too", async () => {
    const one = bench({}, async (effect, go) => {
      const outcome = await go();
      if (effect.kind === "discover_checks")
        await two.runs.submit(runId, { type: "capture_evidence", by: { kind: "person", surface: "cli" } });
      return outcome;
    });
    const two = bench({}, undefined, one.folder);
    const { runId } = await created(one.runs);
    const { run } = await one.runs.advance(runId);
    expect(run.phase.state).toBe("completed");
    expect(run.side.tasks[0]?.end?.outcome).toBe("completed");
    expect((await one.store.log.verify()).problems).toEqual([]);
  });

  it("a command is decided on what the log says now, whatever this engine saw last of the run", async () => {
    const one = bench();
    const two = bench({}, undefined, one.folder);
    const { runId } = await created(one.runs, { policy: creation().policy });
    await two.runs.read(runId);
    const [gate] = openGates((await one.runs.loop(runId)).run);
    if (!gate) throw new Error("no gate");
    const by = { kind: "person", surface: "cli" } as const;
    const asked = { gateId: gate.id, subjectSha256: gate.subject.sha256, message: gate.phrase ?? "" };
    const submit = async () => await two.runs.submit(runId, { type: "answer", answer: "approve", ...asked, by });
    // Two has not seen the gate, and would refuse an answer to it.
    await submit();
    await one.runs.submit(runId, { type: "abort", reason: "stop", by });
    // And now it has not seen that the run is over.
    await expect(submit()).rejects.toThrow(FailureError);
    expect((await two.runs.read(runId)).phase.state).toBe("aborted");
  });

  it("an abort stops the call that is under way at once, and what it brings is not recorded", async () => {
    const one = bench({}, (effect, go, { signal, posted }) =>
      effect.kind === "call_provider" && effect.call.role === "implementer"
        ? (async () => {
            await posted({ handle: null, promptSha256: "x", target: "t" });
            queueMicrotask(
              async () =>
                await one.runs.submit(runId, {
                  type: "abort",
                  reason: "stop",
                  by: { kind: "person", surface: "cli" },
                }),
            );
            await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
            return {
              kind: "call_provider" as const,
              outcome: { result: "failed" as const, why: "aborted", timedOut: false },
              usage: { inputTokens: 0, outputTokens: 0, estimated: true },
              artifacts: [],
            };
          })()
        : go(),
    );
    const { runId } = await created(one.runs);
    const { run, stop } = await one.runs.advance(runId);
    expect(stop).toBe("terminal");
    expect(run.phase).toMatchObject({ state: "aborted", stopReason: "user_abort" });
    expect(run.calls.at(-1)?.result).toBeNull();
    expect(run.retired).not.toBeNull();
  });

  it("an abort by another process is noticed while waiting", async () => {
    const one = bench({}, (effect, go, { signal }) =>
      effect.kind === "run_check"
        ? (async () => {
            await two.runs.submit(runId, {
              type: "abort",
              reason: "stop",
              by: { kind: "person", surface: "cli" },
            });
            await new Promise<void>((resolve) => {
              if (signal.aborted) resolve();
              else signal.addEventListener("abort", () => resolve(), { once: true });
            });
            return go();
          })()
        : go(),
    );
    const two = bench({}, undefined, one.folder);
    const { runId } = await created(one.runs);
    expect((await one.runs.advance(runId)).run.phase.state).toBe("aborted");
  });
});

describe("a process that stops", () => {
  it("[R-16] is taken up by the next one after a crash at some effects, and no call is ever sent twice", async () => {
    for (const moment of ["before", "after"] as const) for (let n = 1; await survives(n, moment); n += 5);
  });

  it("an interrupt records nothing about what it cut short; the next process finds the call in doubt", async () => {
    const stop = new AbortController();
    let aborted = false;
    const one = bench({}, (effect, go, { signal, posted }) =>
      effect.kind === "call_provider"
        ? (async () => {
            await posted({ handle: null, promptSha256: "x", target: "t" });
            stop.abort();
            aborted = signal.aborted;
            return {
              kind: "call_provider" as const,
              outcome: { result: "failed" as const, why: "aborted", timedOut: false },
              usage: { inputTokens: 0, outputTokens: 0, estimated: true },
              artifacts: [],
            };
          })()
        : go(),
    );
    const { runId } = await created(one.runs);
    const { stop: how, run } = await one.runs.advance(runId, { signal: stop.signal });
    expect(how).toBe("interrupted");
    expect(aborted).toBe(true);
    expect(run.calls[0]?.result).toBeNull();
    expect(await one.store.leases.holder(runId)).toBeUndefined();
  });

  it("a failure of an effect is decided upon; a bug stops the engine with its stack and leaves the run as it was", async () => {
    const failing = bench({}, (effect, go) =>
      effect.kind === "inspect_repository"
        ? Promise.reject(
            new FailureError({ code: "unsafe_repository", message: "tracked .thehood", remedy: "remove it" }),
          )
        : go(),
    );
    const { runId } = await created(failing.runs);
    expect((await failing.runs.advance(runId)).run.phase).toMatchObject({
      state: "failed",
      stopReason: "unsafe_repository",
      remedy: "remove it",
    });
    const broken = bench({}, () => Promise.reject(new TypeError("bug")));
    const other = await created(broken.runs);
    await expect(broken.runs.advance(other.runId)).rejects.toThrow(TypeError);
    expect((await broken.runs.read(other.runId)).seq).toBe(other.seq);
    expect(await broken.store.leases.holder(other.runId)).toBeUndefined();
  });

  it("a store that cannot be written stops the engine and is not taken for a decision", async () => {
    const full = bench({}, () => Promise.reject(new FailureError({ code: "store_full", message: "no space left" })));
    const { runId, seq } = await created(full.runs);
    await expect(full.runs.advance(runId)).rejects.toMatchObject({ failure: { code: "store_full" } });
    expect((await full.runs.read(runId)).seq).toBe(seq);
  });

  it("[R-71] an event of a future version is refused, not guessed at", async () => {
    const { runs, store } = bench();
    const { runId, seq } = await created(runs);
    const row = await store.log.row(runId);
    if (!row) fail("not_found", "no row");
    await store.log.append({
      runId,
      expectedSeq: seq,
      at: 1,
      events: [{ type: "from_the_future" } as unknown as RunEvent],
      row,
    });
    await expect(runs.read(runId)).rejects.toThrow(/cannot be read by this version/);
  });
});
