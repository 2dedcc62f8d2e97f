import { describe, expect, it } from "vitest";
import type { GateDetails } from "../../../operations/run-data/index.ts";
import { lineWidth, plainOf } from "../text/line.ts";
import { sheetLines } from "./sheet.ts";

const gate: GateDetails["gates"][number] = {
  id: "gate_1",
  kind: "isolated_patch_application",
  lane: "main",
  title: "Apply the verified work of a very long question to the checkout 漢字",
  phrase: null,
  answers: ["approve"],
  sha256: "0".repeat(64),
  text: "Apply\nreasons",
  risk: "medium",
  cause: null,
  since: 0,
  summary: null,
  parts: [],
};
const command = `node --test ${"--very-long-option=".repeat(4)} && rm -rf build # 👩‍👩‍👧 the end`;

describe("[B-20] the sheet of a gate", () => {
  it("shows what failed above what the agents say about it", () => {
    const answer = JSON.stringify({ summary: "all is well", data: { result: {} } });
    const said = { kind: "text", of: "agent", ref: "r", summary: "s", text: answer, rest: 0 } as const;
    const failing = [{ command: "npm run test", result: "timed_out", lines: ["not ok 1 - adds", "-1 !== 3"] }];
    const text = sheetLines({ ...gate, parts: [said] }, { runId: "run_1", commands: [], failing }, 80)
      .map((one) => plainOf(one).trim())
      .join("\n");
    expect(text).toContain("What failed: npm run test (timed out)\nnot ok 1 - adds\n-1 !== 3");
    expect(text.indexOf("What failed")).toBeLessThan(text.indexOf("all is well"));
  });

  it.each([40, 60, 300])("cuts neither its question nor a command at %d columns", (columns) => {
    const lines = sheetLines(
      gate,
      { runId: "run_1", commands: [{ command, source: "package.json" }], failing: [] },
      columns,
    );
    const joined = lines.map((one) => plainOf(one).trim()).join("");
    const bare = (text: string): string => text.replaceAll(" ", "");
    expect(bare(joined)).toContain(bare(gate.title));
    expect(bare(joined)).toContain("mediumrisk");
    expect(bare(joined)).toContain(bare(command));
    expect(lines.every((one) => lineWidth(one) <= columns)).toBe(true);
    expect(joined).not.toContain("…");
  });
});
