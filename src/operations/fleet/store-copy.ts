// `store copy`: runs move between the embedded and the shared store.
import { exitCodes } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { text } from "../define/index.ts";

const place = "embedded, shared (the configured one), or postgres://…";

export const storeCopy = define({
  name: "store copy",
  group: "Connect",
  summary: "Copy the runs of this repository from one store to another, and verify both",
  more: "Nothing is removed. A copy that was stopped goes on where it stands.",
  examples: ["thehood store copy --from embedded --to shared"],
  effect: "moves",
  input: {
    from: text(`the source: ${place}`, { min: 1, max: 2_000, cli: { value: "store" } }),
    to: text(`the destination: ${place}`, { min: 1, max: 2_000, cli: { value: "store" } }),
  },
  async handle({ from, to }, { ports, folder, tell }) {
    return (await ports.fleet()).copy(folder, from, to, tell);
  },
  cli: {
    exit: ({ skipped, source, destination }) =>
      skipped.length + source.problems.length + destination.problems.length === 0
        ? exitCodes.ok
        : exitCodes.verificationFailed,
  },
});
