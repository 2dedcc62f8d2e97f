// Workers of a shared store, and copies of runs between stores.
import { define } from "../context/index.ts";
import { flag, list, optional, text, whole, withDefault } from "../define/index.ts";
import { exitCodes } from "../../core/contract/index.ts";

export const worker = define({
  name: "worker",
  group: "Connect",
  summary: "Advance runs of the shared store on this machine, until it is stopped",
  more: "SIGTERM drains: no new run is taken, and runs under way are handed over at their next safe point. With --run and --once one run is advanced, as a container job does it.",
  examples: ["thehood worker --concurrency 2 --label docker", "thehood worker --run run_0mwh --once"],
  effect: "moves",
  input: {
    labels: list(text("a label", { min: 1, max: 40 }), "take runs that need this as well", {
      max: 20,
      cli: { name: "label" },
    }),
    concurrency: withDefault(whole("runs at once (default 1)", { min: 1, max: 64 }), 1),
    perRepository: optional(
      whole("at most this many runs of one repository at once, over all workers", { min: 1, max: 10_000 }),
    ),
    perProvider: optional(
      whole("at most this many runs with one provider at once, over all workers", { min: 1, max: 10_000 }),
    ),
    health: optional(
      whole("serve /healthz, /readyz and /metrics on this port of loopback (0: a free one)", {
        min: 0,
        max: 65_535,
      }),
    ),
    grace: withDefault(
      whole("seconds that a run may take to its next safe point on SIGTERM (default 600)", {
        min: 1,
        cli: { value: "s" },
      }),
      600,
    ),
    run: optional(text("advance this run only", { min: 1, max: 60, cli: { value: "run" } })),
    once: flag("stop when the run stops"),
  },
  async handle({ labels, concurrency, perRepository, perProvider, health, grace, run, once }, context) {
    const { fail } = await import("../../core/contract/index.ts");
    if ((run === undefined) === once)
      fail("invalid_input", "--run and --once belong together.", {
        remedy: "thehood worker, or thehood worker --run RUN --once",
      });
    const fleet = await context.ports.fleet();
    if (run !== undefined) {
      const stop = await fleet.once(run, context.signal);
      return { runId: run, stop };
    }
    const { signal } = context;
    const log = (event: string, facts: Readonly<Record<string, unknown>> = {}) =>
      context.tell(JSON.stringify({ at: new Date().toISOString(), event, ...facts }));
    return fleet.work({
      labels,
      concurrency,
      perRepository,
      perProvider,
      healthPort: health,
      graceSeconds: grace,
      signal,
      log,
    });
  },
  cli: { exit: (result) => ("stop" in result && result.stop === "interrupted" ? 75 : 0) },
});

export const workers = define({
  name: "workers",
  group: "Connect",
  summary: "Show the workers of the shared store, what they do and what waits",
  examples: ["thehood workers", "thehood workers --json"],
  effect: "reads",
  input: {},
  handle: async (_input, context) => (await context.ports.fleet()).view(),
  cli: {},
});

const place = "embedded, shared (the configured one), or postgres://…";

export const storeCopy = define({
  name: "store copy",
  group: "Connect",
  summary: "Copy the runs of this repository from one store to another, and verify both",
  more: "Nothing is removed. A copy that was stopped goes on where it stopped.",
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
