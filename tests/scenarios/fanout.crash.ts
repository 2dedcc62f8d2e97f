import { afterEach, expect, it } from "vitest";
import { ask, ends, killedAfter } from "./fanout-scene.ts";
import { cleanUp, person, start } from "./harness.ts";

afterEach(cleanUp);

/** Some answer at once and some after a while, so that every moment has several calls out in another way. */
const script = { summons: { critic: [{ delayMs: 150 }, { delayMs: 60 }, {}, { delayMs: 100 }, {}] } };
const items = [ask("critic"), ask("critic"), ask("critic"), ask("critic"), ask("critic")];

it("[R-51] a fan-out whose process is killed after any of its events is finished by the next, and no call is sent twice", async () => {
  let moments = 0;
  for (let count = 1; ; count += 1) {
    const run = await (await start({ script, policy: { fanoutParallel: 3 } })).until("implementation_start");
    await run.submit({ type: "fanout", items, by: person });
    const { killed } = await killedAfter(run, (told) => told.length >= count);
    const out = run.run.calls.filter(({ posted, result, record }) => record.lane === "side" && posted && !result);
    await run.go();
    const sent = run.events("provider_wait_posted").map(({ callId }) => callId);
    expect(new Set(sent).size, run.story()).toBe(sent.length);
    // Whoever was out is in doubt and is not asked again; everyone else has answered.
    expect(ends(run).filter((outcome) => outcome === "failed")).toHaveLength(out.length);
    expect(ends(run).filter((outcome) => outcome === "completed")).toHaveLength(items.length - out.length);
    expect(run.events("agent_fanout_completed")).toHaveLength(1);
    expect((await run.opened.store.log.verify(run.runId)).problems).toEqual([]);
    await cleanUp();
    if (!killed) break;
    moments += 1;
  }
  expect(moments).toBeGreaterThan(15);
}, 600_000);
