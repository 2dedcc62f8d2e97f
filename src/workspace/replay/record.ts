// Records the calls of changed functions while a check runs on the work. The recorder is in the loaded modules of a scratch
// tree: in the text of JavaScript and TypeScript files, and in the import system of Python.
import { randomBytes } from "node:crypto";
import { type Edit, languageOf, runCheck, shownAt } from "../checks/index.ts";
import type { ReplaySite } from "./bare.ts";
import { readRecorded, type Recorded } from "./calls.ts";
import { type Depth, instrument } from "./instrument.ts";
import { openPipe } from "./pipe.ts";
import { javascript, pythonRecorder } from "./texts.ts";

interface RecordedText {
  readonly path: string;
  readonly after: string;
}

export interface RecordedRun {
  readonly passed: boolean;
  readonly recorded: Recorded;
}

/** Undefined where the system has no pipes. */
export async function recordCalls(
  site: ReplaySite,
  tree: string,
  files: readonly RecordedText[],
  seed: number,
  depth: Depth,
): Promise<RecordedRun | undefined> {
  const pipe = openPipe();
  if (!pipe) return undefined;
  const mark = `$${randomBytes(4).toString("hex")}`;
  const edits = files.flatMap(({ path, after }): Edit[] => {
    if (languageOf(path) !== "js") return [];
    const text = instrument({ path, text: after, pipe: pipe.path, mark, depth }, javascript());
    return text === null ? [] : [{ path, text }];
  });
  const python = files.map(({ path }) => path).filter((path) => languageOf(path) === "python");
  if (python.length > 0) {
    const plan = {
      pipe: pipe.path,
      top: shownAt(site.repository.top),
      files: python,
      classes: depth !== "functions",
      traced: depth === "all",
    };
    pipe.add("sitecustomize.py", pythonRecorder(plan));
  }
  let text = "";
  let passed = false;
  try {
    const ran = await runCheck({
      ...site,
      tree,
      edits,
      attached: {
        own: [{ path: pipe.folder, access: "read" }],
        env: python.length > 0 ? { PYTHONHASHSEED: String(seed) } : {},
        envAppended: python.length > 0 ? { PYTHONPATH: [":", pipe.folder] } : {},
      },
    });
    passed = ran.result === "passed";
  } finally {
    text = await pipe.close();
  }
  return {
    passed,
    recorded: readRecorded(
      text,
      files.map(({ path }) => path),
    ),
  };
}

/** Whether the check passes where the same files have nothing but a comment more. */
export async function passesWithComment(
  site: ReplaySite,
  tree: string,
  files: readonly RecordedText[],
): Promise<boolean> {
  const edits = files.map(({ path, after }) => ({
    path,
    text: `${after}\n${languageOf(path) === "python" ? "#" : "//"} ${randomBytes(4).toString("hex")}\n`,
  }));
  // Without our reporter, as it was recorded.
  return (await runCheck({ ...site, tree, edits, attached: {} })).result === "passed";
}
