// Fields that several operations on runs share.
import { assignmentPattern, summonableRoles, summonKinds } from "../../core/contract/index.ts";
import { choice, flag, list, number, optional, spelled, text, withDefault, type InputOf } from "../define/index.ts";

const anyRun = "a run id or its first letters";
const limits = { min: 1, max: 64, cli: { name: "run" } } as const;

export const run = text(anyRun, { ...limits, mcp: { about: "A run id or its first letters." } });

const orElse = (which: string) =>
  optional(
    text(`${anyRun} (default: ${which})`, {
      ...limits,
      mcp: { about: "A run id or its first letters.", required: true },
    }),
  );

/** The newest run for a person who names none; a program must name one. */
export const latestRun = orElse("the newest run");

/** The run whose gate is answered. */
export const waitingRun = orElse("the newest run, or the one that waits for you");

export const waitSeconds = withDefault(
  number("wait this long for the run to stop; it goes on afterwards either way", {
    min: 0,
    max: 300,
    only: "mcp",
    mcp: { about: "Wait this long; the run goes on either way." },
  }),
  0,
);

/** A person's decision: `perform` takes it, and no handler gets it. */
export const keepSecrets = flag(
  "keep a secret in your text as it is: it is stored and shown; messages to agents replace it",
  { only: "cli" },
);

const provider = text("provider:model", {
  pattern: assignmentPattern,
  words: "an assignment as provider:model, such as stub:default",
  look: { remedy: "See what can be assigned here", suggestion: { suggest: "models" } },
  cli: { value: "p:m" },
});

/** `provider:model`. */
export const assignment = (help: string, about?: string) =>
  spelled(provider, { help, ...(about === undefined ? {} : { mcp: { about } }) });

/** The fields of one summoned call, alone or in a fan-out. */
export const summonFields = {
  role: choice(summonableRoles, "which role to call, always needed"),
  brief: text("what it is asked, always needed", { min: 1, max: 8_000, mcp: { about: "What is asked." } }),
  kind: withDefault(choice(summonKinds, "what kind of answer is wanted"), "review"),
  persona: optional(text("from which point of view", { max: 500 })),
  constraints: list(text("a constraint", { max: 1_000 }), "something to respect", {
    max: 20,
    cli: { name: "constraint" },
  }),
  evidenceRefs: list(text("an artifact", { max: 200, cli: { value: "ref" } }), "an artifact to lay before it", {
    max: 20,
    cli: { name: "evidence" },
    mcp: { about: "Artifacts to lay before it." },
  }),
  agent: optional(assignment("who answers, for this call only", "provider:model for this call only.")),
};
export type SummonItem = InputOf<typeof summonFields>;
