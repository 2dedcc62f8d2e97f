// The rows of `thehood doctor` and `oracle doctor`.
import { FailureError } from "./failure.ts";

export interface DoctorCheck {
  readonly name: string;
  /** `note`: useful to know, blocks nothing. */
  readonly state: "ok" | "note" | "warning" | "blocker";
  readonly detail: string;
  readonly remedy: string | null;
  /** A check of the repository: its last result on this commit, and how long it took. */
  readonly result?: "passed" | "failed" | "unknown";
  readonly ms?: number;
  /** The role whose assigned agent cannot work. */
  readonly role?: string;
}

export const okCheck = (name: string, detail: string): DoctorCheck => ({
  name,
  state: "ok",
  detail,
  remedy: null,
});

export const badCheck = (
  name: string,
  state: "note" | "warning" | "blocker",
  detail: string,
  remedy: string | null,
): DoctorCheck => ({ name, state, detail, remedy });

/** A check that fails becomes a blocker row, and the other checks go on. */
export async function runDoctorCheck(
  name: string,
  find: () => Promise<DoctorCheck[]> | DoctorCheck[],
): Promise<DoctorCheck[]> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return [badCheck(name, "blocker", error.failure.message, error.failure.remedy ?? null)];
  }
}
