// `policy set`: changes the user's approval policy.
import { approvalModes } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { text } from "../define/index.ts";

export const policySet = define({
  name: "policy set",
  group: "Set up",
  summary: "Change your approval policy",
  more: "manual asks at every gate. auto_low_risk lets small transfers without secret risk pass. autopilot also starts work, calls agents\nand applies patches that nothing was found about. Protected changes, secrets and risky commands always ask.",
  examples: ["thehood policy set auto_low_risk"],
  effect: "decides",
  input: { mode: text("manual, auto_low_risk or autopilot", { cli: { suggest: approvalModes } }) },
  handle: ({ mode }, { ports }) => ports.setup.setPolicy(mode),
  cli: { words: ["mode"] },
});
