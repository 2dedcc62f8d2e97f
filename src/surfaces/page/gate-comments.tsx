// The user's comments on lines of the change, and the text of the revision that they become.
import { useEffect, useRef, useState } from "preact/hooks";
import type { ReadableGate } from "../../operations/run-data/index.ts";
import { Section } from "./parts.tsx";

export interface Comment {
  readonly path: string;
  readonly line: string;
  readonly text: string;
  readonly words: string;
}

/** The text of a revision: the user's message, then each comment with its line. */
export const revisionWords = (said: string, comments: readonly Comment[]): string =>
  [
    said.trim(),
    ...comments.map(
      ({ path, line, text, words: own }) => `${path}:${line} (${text.trim().slice(0, 120)}): ${own.trim()}`,
    ),
  ]
    .filter((part) => part !== "")
    .join("\n");

interface CommentProps {
  readonly comment: Comment;
  change(comment: Comment): void;
  remove(): void;
}

function CommentBox({ comment, change, remove }: CommentProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <li>
      <label>
        <code>
          {comment.path}:{comment.line}
        </code>
        <pre>{comment.text}</pre>
        <textarea
          rows={2}
          ref={box}
          value={comment.words}
          onInput={(event) => change({ ...comment, words: event.currentTarget.value })}
        />
      </label>
      <button type="button" onClick={remove}>
        Remove
      </button>
    </li>
  );
}

interface CommentsProps {
  readonly comments: readonly Comment[];
  set(comments: readonly Comment[]): void;
}

export function Comments({ comments, set }: CommentsProps) {
  if (comments.length === 0) return null;
  return (
    <Section title="Your comments">
      <ul class="plain comments">
        {comments.map((comment) => (
          <CommentBox
            key={`${comment.path}:${comment.line}`}
            comment={comment}
            change={(changed) => set(comments.map((other) => (other === comment ? changed : other)))}
            remove={() => set(comments.filter((other) => other !== comment))}
          />
        ))}
      </ul>
    </Section>
  );
}

/** The line of the change as the page shows it: the new one, or an old one that is gone. */
function lineText(path: string, line: string): string {
  const files = [...document.querySelectorAll("article.file")];
  const file = files.find((one) => one.querySelector("h3")?.textContent === path);
  const row = file?.querySelector(`[data-n="${line}"]`) ?? file?.querySelector(`[data-o="${line}"]`);
  return row?.textContent ?? "";
}

interface LineProps {
  readonly gate: ReadableGate;
  comment(path: string, line: string, text: string): void;
}

/** The way to comment on a line without a pointer. */
export function CommentAtLine({ gate, comment }: LineProps) {
  const paths = gate.parts.flatMap((part) => (part.kind === "diff" ? part.patch.files.map(({ path }) => path) : []));
  const [path, setPath] = useState(paths[0] ?? "");
  const [line, setLine] = useState("");
  if (paths.length === 0) return null;
  return (
    <div class="at-line">
      <select aria-label="File" value={path} onChange={(event) => setPath(event.currentTarget.value)}>
        {paths.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
      <input
        type="number"
        min="1"
        aria-label="Line"
        placeholder="line"
        value={line}
        onInput={(event) => setLine(event.currentTarget.value)}
      />
      <button type="button" disabled={!(Number(line) > 0)} onClick={() => comment(path, line, lineText(path, line))}>
        Comment
      </button>
    </div>
  );
}
