import { expect, it } from "vitest";
import { crewDraft, firstGate, readCrew } from "./crew.ts";

const crew = [
  { role: "implementer", agent: "stub:implementer" },
  { role: "verifier", agent: "stub:verifier" },
];

it("[B-32] reads the roles that got another agent, and nothing out of any other line", () => {
  const draft = crewDraft(crew);
  expect(readCrew(draft, crew)).toEqual([]);
  expect(readCrew(null, crew)).toEqual([]);
  expect(readCrew("", crew)).toEqual([]);
  const changed = draft.replace("stub:verifier", "claude-code:sonnet").replace("\n\n", "\nboss stub:boss\n\n");
  expect(readCrew(changed, crew)).toEqual([{ role: "verifier", agent: "claude-code:sonnet" }]);
});

it("[B-32] asks about a switch before the start that it belongs to, and about the main question everywhere else", () => {
  const gate = (kind: string, lane: string, sort: string) => ({ kind, lane, summary: { sort } });
  const asked = (...gates: readonly object[]) => firstGate({ gates } as unknown as Parameters<typeof firstGate>[0]);
  const [switched, start, result] = [
    gate("role_switch", "side", "other"),
    gate("implementation_start", "main", "start"),
    gate("isolated_patch_application", "main", "result"),
  ];
  expect(asked(start, switched)).toBe(switched);
  expect(asked(switched, result)).toBe(result);
  expect(asked(start)).toBe(start);
  expect(asked(switched)).toBe(switched);
  expect(asked()).toBeUndefined();
});
