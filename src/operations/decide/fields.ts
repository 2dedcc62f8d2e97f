// The fields of every decision at a gate.
import { flag, optional, text, withDefault } from "../define/index.ts";
import { waitingRun } from "../run-data/fields.ts";

export const decisionFields = {
  runId: waitingRun,
  message: withDefault(
    text("your words; a gate with a phrase wants it here", { only: "cli", cli: { short: "m" } }),
    "",
  ),
  gate: optional(
    text("the gate you mean; refused when another one is open", {
      min: 1,
      max: 64,
      cli: { value: "id" },
      mcp: { name: "gate_id", about: "The open gate, as thehood_status tells it.", required: true },
    }),
  ),
  sign: optional(
    text("sign your answer with this SSH key; `thehood verify --signers` tells by whom", {
      only: "cli",
      cli: { value: "file" },
    }),
  ),
  noContinue: flag("record the decision and stop", { only: "cli" }),
};

export const undoToo = flag("also take its work out of the checkout again", { only: "cli" });

/** The caller names the hash of what was shown, so that the answer is about exactly that (B-4). */
export const sha256 = optional(
  text("the hash of what you were shown, as thehood status tells it; needed where no terminal can show it", {
    pattern: /^[0-9a-f]{64}$/,
    words: "the hash of what the gate shows, 64 hex digits",
    cli: { name: "shown", value: "hash" },
    mcp: { about: "The hash of what the gate shows, as thehood_status tells it.", required: true },
  }),
);
