import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { SessionRecord } from "../../src/core/contract/transport/index.ts";
import { begin, deathTests, restart } from "./death-suite.ts";
import { stageFor } from "./stage-for.ts";
import { chromium } from "./stage.ts";

describe.skipIf(chromium === undefined)("death at each step, on pages of public evidence", () => {
  const on = stageFor("public");
  deathTests(on);

  it("our process dies while ChatGPT shows an address of a moment: it is not kept, and a restart brings the answer", async () => {
    const answers = ["The answer that came after the address had changed, at some length."];
    const run = await begin(
      on.stage,
      { answers, transientMs: 4_000, chunks: 6, chunkMs: 800 },
      ({ record }) => record.conversation?.stage === "sent",
    );
    run.child.kill("SIGKILL");
    await run.ended;
    const { conversation } = JSON.parse(
      readFileSync(on.stage.file(run.session, "session.json"), "utf8"),
    ) as SessionRecord;
    expect(conversation?.url).toMatch(/^https:\/\/chatgpt\.com\/\?/);
    const again = await restart(on.stage, run.session);
    expect(again).toMatchObject({ result: { status: "success", error: null }, text: answers[0] });
    expect(on.sites.postsOf(run.id)).toHaveLength(1);
  });
});
