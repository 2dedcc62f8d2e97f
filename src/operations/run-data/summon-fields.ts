// The fields of one summoned call, alone or in a fan-out.
import { summonableRoles, summonKinds } from "../../core/contract/index.ts";
import { choice, list, optional, text, withDefault, type InputOf } from "../define/index.ts";
import { assignment } from "./fields.ts";

export const summonFields = {
  role: choice(summonableRoles, "which role to call, always needed"),
  brief: text("what it is asked, always needed", { min: 1, max: 8_000, mcp: { about: "What is asked." } }),
  kind: withDefault(choice(summonKinds, "what kind of answer is wanted"), "review"),
  persona: optional(text("from which point of view", { max: 500 })),
  constraints: list(text("a constraint", { max: 1_000 }), "something to respect", {
    max: 20,
    cli: { name: "constraint" },
  }),
  evidenceRefs: list(
    text("an artifact", { max: 200, cli: { value: "ref" } }),
    "an artifact to lay before it",
    {
      max: 20,
      cli: { name: "evidence" },
      mcp: { about: "Artifacts to lay before it." },
    },
  ),
  agent: optional(assignment("who answers, for this call only", "provider:model for this call only.")),
};
export type SummonItem = InputOf<typeof summonFields>;
