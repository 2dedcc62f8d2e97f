// Runs on a sample with one check, and what the control of that check found.
import { nodeTest, sample, start } from "./harness.ts";

export const good = { ...sample, "src/add.js": "export const add = (a, b) => a + b;\n" };
/** A check whose own time is mostly waiting: the control, whose time is counted in it, then has time on a busy machine too. */
export const unhurried = {
  ...good,
  "test/add.test.js": `${String(sample["test/add.test.js"])}test('waits', () => new Promise((done) => setTimeout(done, 900)));\n`,
};
export const write = (path: string, text: string) => ({ op: "write", path, text }) as const;

export async function worked(
  edits: readonly ReturnType<typeof write>[],
  more: { files?: typeof sample; sabotage?: "off"; check?: typeof nodeTest; waived?: string[] } = {},
) {
  const run = await start({
    files: more.files ?? good,
    policy: {
      approvals: "autopilot",
      checks: [more.check ?? nodeTest],
      discoverChecks: false,
      budgets: { maxRevisions: 0 },
      ...(more.sabotage ? { sabotage: more.sabotage } : {}),
      ...(more.waived ? { waivedChecks: more.waived } : {}),
    },
    script: { repeatLast: true, roles: { implementer: [{ edits: [...edits] }] } },
  });
  return run.drive("isolated_patch_application", "protected_patch_changes");
}
type Run = Awaited<ReturnType<typeof worked>>;
export const after = (run: Run) =>
  run
    .events("check_executed")
    .map(({ check }) => check)
    .at(-1);
export const claims = (run: Run): string => JSON.stringify(run.json(run.events("final_report_written")[0]?.report));
