// The folder of the public preview, as it is shown before anything of it is taken, and afterwards.

/** A setting that is not taken. */
export interface LeftSetting {
  readonly key: string;
  readonly value: string;
  readonly why: string;
  /** The command by which the user does it; null where there is none. */
  readonly command: string | null;
}

/** A run of the preview: its record is kept and can only be read. */
export interface PreviewRun {
  readonly runId: string;
  readonly goal: string;
  readonly mode: string;
  readonly state: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly artifacts: number;
  /** The file that holds it. */
  readonly record: string;
  /** Why it cannot be read; null when it can. */
  readonly problem: string | null;
}

export interface PreviewImport {
  /** Where it was found. */
  readonly folder: string;
  /** Where it is kept, or would be. */
  readonly kept: string;
  readonly written: boolean;
  /** The file that gets the settings. */
  readonly file: string;
  readonly changes: readonly { readonly key: string; readonly before: unknown; readonly after: unknown }[];
  readonly left: readonly LeftSetting[];
  /** Newest first. */
  readonly runs: readonly PreviewRun[];
  /** Runs beyond those that are listed. */
  readonly more: number;
}
