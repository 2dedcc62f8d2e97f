// Records calls of Go and Rust functions while a check runs on the work: the recorder is compiled into a scratch tree.
import { dirname, join } from "node:path";
import { type Edit, runCheck } from "../../checks/index.ts";
import { readRecorded, type Recorded } from "../calls.ts";
import { openPipe } from "../pipe.ts";
import type { ChangedText, CompiledReplay } from "./compiled.ts";
import { packageOf, recordGo } from "./go.ts";
import { recordRust } from "./rust.ts";
import type { Signature } from "./signature.ts";

interface Recording {
  readonly language: "go" | "rust";
  readonly mark: string;
  readonly files: readonly ChangedText[];
  readonly signatures: readonly Signature[];
}

function editsOf({ language, mark, files, signatures }: Recording, pipe: string): Edit[] {
  return files.flatMap(({ path, after }, at): Edit[] => {
    const own = signatures.filter(({ file }) => file === path);
    const by = { mark: `${mark}${at}`, pipe };
    if (own.length === 0) return [];
    if (language === "rust") return [{ path, text: recordRust({ path, text: after }, own, by) }];
    if (packageOf(after) === null) return [];
    const { text, beside } = recordGo({ path, text: after }, own, by);
    return [
      { path, text },
      { path: join(dirname(path), `${by.mark}.go`), text: beside },
    ];
  });
}

/** Undefined where the system has no pipes. */
export async function recordCompiled(
  replay: CompiledReplay,
  recording: Recording,
): Promise<{ readonly passed: boolean; readonly recorded: Recorded } | undefined> {
  const pipe = openPipe();
  if (!pipe) return undefined;
  let text = "";
  let passed = false;
  try {
    const edits = editsOf(recording, pipe.path);
    const attached = { own: [{ path: pipe.folder, access: "read" as const }] };
    passed = (await runCheck({ ...replay, edits, attached })).result === "passed";
  } finally {
    text = await pipe.close();
  }
  const paths = recording.files.map(({ path }) => path);
  const recorded = readRecorded(text, paths);
  const known = new Set(recording.signatures.map(({ file, name }) => `${file} ${name}`));
  return { passed, recorded: { ...recorded, known } };
}
