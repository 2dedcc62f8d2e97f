import { expect, it } from "vitest";
import type { Rendering } from "./program.ts";
import { show } from "./show.ts";
import { createStyle } from "./style.ts";

async function printed(result: unknown): Promise<string> {
  let out = "";
  const io = { out: (text: string) => void (out += text) };
  const view = { io, json: false, style: createStyle(false) } as unknown as Rendering<unknown>;
  await show(result, () => 0, undefined, view, JSON.stringify);
  return out;
}

it("data without a renderer has no null, no milliseconds and no empty answer", async () => {
  const shown = await printed({
    runId: "run_1",
    gate: null,
    startedAt: 1_794_882_323_905,
    files: [],
    in: { of: null },
  });
  expect(shown).not.toContain("null");
  expect(shown).toContain("run id: run_1");
  expect(shown).toContain("started at: 2026-11-17T");
  expect(shown).toMatch(/files:\n? +none/);
  expect(await printed([])).toBe("none\n");
});
