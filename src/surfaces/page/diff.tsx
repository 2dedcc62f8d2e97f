// A change: the list of its files, and each file with its diff.
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { ResultSummary } from "../../core/machine/view/index.ts";
import type { ShownFile, ShownPatch } from "../../core/patch/index.ts";
import { RowBuilder, type BlockWatch } from "./diff-rows.ts";
import { count, folderName, one, short } from "./format.ts";
import { useOperation } from "./api.ts";
import { Badge, Refusal, Waiting } from "./parts.tsx";
import { link, route } from "./route.ts";

const changes = { modify: "", create: "new", delete: "deleted", rename: "moved", copy: "copied" } as const;

const Numbers = ({ added, removed }: { added: number; removed: number }) => (
  <span class="numbers">
    <span class="plus">+{count(added)}</span> <span class="minus">−{count(removed)}</span>
  </span>
);

const modes: Readonly<Record<string, string>> = {
  "100755": "executable",
  "120000": "link",
  "160000": "submodule",
};
const modeName = (mode: string | null): string => (mode === null ? "" : (modes[mode] ?? mode));

function notes({ change, from, oldMode, newMode, binary }: ShownFile): string[] {
  const moved = from === null ? [] : [`from ${from}`];
  const mode = oldMode && newMode && oldMode !== newMode ? [`mode ${oldMode} → ${newMode}`] : [];
  const special = change === "create" && newMode !== "100644" ? [modeName(newMode)] : [];
  const bytes = binary === null ? [] : [binary < 0 ? "binary" : `binary, ${count(binary)} bytes`];
  return [...moved, ...mode, ...special, ...bytes].filter(Boolean);
}

const anchor = (index: number): string => `file-${index}`;

interface Comments {
  /** The user clicks a line. */
  at(path: string, line: string, text: string): void;
}

/** At a gate a file needs the user's yes or not; elsewhere it is protected. */
const ProtectedBadge = ({ file: { kinds }, why }: Pick<FileProps, "file" | "why">) =>
  why === null ? (
    <Badge word="plain" text={kinds.join(", ")} />
  ) : (
    <Badge word="ask" text={why === undefined ? `protected: ${kinds.join(", ")}` : `${why}: needs your yes`} />
  );

function File({ file, index, builder, seen, comments, why }: FileProps) {
  const body = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (body.current ? builder.fill(body.current, file, seen) : undefined), [file]);
  const point = (event: MouseEvent): void => {
    const row = (event.target as HTMLElement).closest<HTMLElement>(".block > div, .hunk");
    const line = row?.dataset["n"] ?? row?.dataset["o"] ?? row?.dataset["line"];
    if (row && line !== undefined && getSelection()?.isCollapsed !== false)
      comments?.at(file.path, line, row.textContent ?? "");
  };
  return (
    <article class="file" id={anchor(index)}>
      <header>
        <h3>
          <code>{file.path}</code>
        </h3>
        {file.change !== "modify" && (
          <Badge word={file.change === "delete" ? "bad" : "plain"} text={changes[file.change]} />
        )}
        {file.protected && <ProtectedBadge file={file} why={why} />}
        {notes(file).map((note) => (
          <span key={note} class="note">
            {note}
          </span>
        ))}
        <Numbers {...file} />
      </header>
      <div class={`rows${comments ? " pointed" : ""}`} ref={body} onClick={comments ? point : undefined} />
    </article>
  );
}

interface FileProps {
  readonly file: ShownFile;
  readonly index: number;
  readonly builder: RowBuilder;
  readonly seen: BlockWatch | undefined;
  readonly comments: Comments | undefined;
  /** Why this file needs the user's own yes; null where it does not, undefined where nothing is asked. */
  readonly why: string | null | undefined;
}

interface DiffProps {
  readonly patch: ShownPatch;
  readonly seen?: BlockWatch;
  readonly comments?: Comments;
  readonly needsYes?: ResultSummary["needsYes"];
}

type NeedsYes = DiffProps["needsYes"];

const yesFor = (needsYes: NeedsYes, { path }: ShownFile): string | null | undefined =>
  needsYes && (needsYes.find((one) => one.path === path)?.why ?? null);

export function Diff({ patch, seen, comments, needsYes }: DiffProps) {
  const { files } = patch;
  const builder = useMemo(() => new RowBuilder(), [patch]);
  return (
    <div class="diff">
      {patch.problems.length > 0 && (
        <Refusal
          refused={{
            code: "",
            message: "Not all of this change could be read.",
            remedy: patch.problems.join("; "),
          }}
        />
      )}
      {files.length > 5 && (
        <details class="files" open={files.length <= 30}>
          <summary>
            {one(files.length, "file")} <Numbers {...patch} />
          </summary>
          <ol>
            {files.map((file, index) => (
              <li key={file.path}>
                <button
                  type="button"
                  class="plainly"
                  onClick={() => document.getElementById(anchor(index))?.scrollIntoView()}
                >
                  {file.path}
                </button>{" "}
                {file.protected && <Badge word="ask" text="protected" />} <Numbers {...file} />
              </li>
            ))}
          </ol>
        </details>
      )}
      {files.map((file, index) => (
        <File
          key={file.path}
          file={file}
          index={index}
          builder={builder}
          seen={seen}
          comments={comments}
          why={yesFor(needsYes, file)}
        />
      ))}
    </div>
  );
}

export function DiffView() {
  const { repo, id = "", ref, pass } = route.value.of;
  const { data, refused } = useOperation<ShownPatch & { runId: string; ref: string }>("changes", repo, {
    runId: id,
    ...(ref ? { ref } : {}),
    ...(pass ? { pass: Number(pass) } : {}),
  });
  useEffect(() => {
    document.title = `Change of ${id.slice(0, 12)} · thehood`;
  }, [id]);
  return (
    <main id="main">
      <nav class="crumbs" aria-label="Where">
        <a href={link("home")}>Runs</a>
        <a href={link("run", { repo, id })}>{id.slice(0, 12)}</a>
        <span>{pass ? `since the pass before pass ${pass}` : `change ${data ? short(data.ref) : ""}`}</span>
      </nav>
      <h1>The change{repo ? ` in ${folderName(repo)}` : ""}</h1>
      <h2 class="hidden">Files</h2>
      <Refusal refused={refused} />
      {!data && !refused && <Waiting />}
      {data && <Diff patch={data} />}
    </main>
  );
}
