// One finding of a look, and a look whose failure is a finding too.
import { FailureError } from "../../../core/contract/index.ts";
import type { DoctorCheck } from "../../../core/contract/setup/index.ts";

export const ok = (name: string, detail: string): DoctorCheck => ({
  name,
  state: "ok",
  detail,
  remedy: null,
});

export const bad = (
  name: string,
  state: "note" | "warning" | "blocker",
  detail: string,
  remedy: string | null,
): DoctorCheck => ({ name, state, detail, remedy });

/** A failure of one look is a finding, not the end of the others. */
export async function look(
  name: string,
  find: () => Promise<DoctorCheck[]> | DoctorCheck[],
): Promise<DoctorCheck[]> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return [bad(name, "blocker", error.failure.message, error.failure.remedy ?? null)];
  }
}
