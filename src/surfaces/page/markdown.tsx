// Renders the few forms of Markdown in reports and answers as elements. Text stays text and never becomes a tag.
import type { ComponentChildren } from "preact";

const inline = /`([^`]+)`|\*\*([^*]+)\*\*/g;

export function Inline({ text }: { text: string }) {
  const parts: ComponentChildren[] = [];
  let last = 0;
  for (const match of text.matchAll(inline)) {
    parts.push(text.slice(last, match.index));
    parts.push(match[1] === undefined ? <b>{match[2]}</b> : <code>{match[1]}</code>);
    last = match.index + match[0].length;
  }
  return <>{[...parts, text.slice(last)]}</>;
}

/** The sign that begins an entry of a list. */
const entry = /^([-*]|\d+\.) /;

function Block({ text }: { text: string }) {
  const [first = ""] = text.split("\n");
  if (first.startsWith("```")) return <pre>{text.replace(/^```.*\n?/, "").replace(/\n?```$/, "")}</pre>;
  const heading = /^(#{1,4}) (.*)/.exec(first);
  if (heading) {
    const rest = text.slice(first.length + 1);
    return (
      <>
        <h3>
          <Inline text={heading[2] ?? ""} />
        </h3>
        {rest !== "" && <Block text={rest} />}
      </>
    );
  }
  if (entry.test(first)) {
    const items = text.split(/\n(?=(?:[-*]|\d+\.) )/).map((item, index) => (
      <li key={index}>
        <Inline text={item.replace(entry, "")} />
      </li>
    ));
    return /^\d/.test(first) ? <ol>{items}</ol> : <ul>{items}</ul>;
  }
  return (
    <p>
      <Inline text={text} />
    </p>
  );
}

/** Fenced blocks stay whole; other text is split at blank lines, and where a list begins below a text. */
const blocks = (text: string): string[] =>
  text
    .split(/(^```[\s\S]*?^```$)/m)
    .flatMap((part) =>
      part.startsWith("```") ? [part] : part.split(/\n{2,}|\n(?<=^(?![-*] |\d+\. |\s).*\n)(?=(?:[-*]|\d+\.) )/m),
    )
    .map((part) => part.replace(/^\n+|\n+$/g, ""))
    .filter((part) => part.trim() !== "");

export const Markdown = ({ text }: { text: string }) => (
  <div class="markdown">
    {blocks(text).map((block, index) => (
      <Block key={index} text={block} />
    ))}
  </div>
);

/** Lines of the runtime: each is a paragraph, and a dash begins a list entry. */
export const TextLines = ({ lines }: { lines: readonly string[] }) => (
  <div class="text-lines">
    {lines.map((line, index) =>
      line.startsWith("- ") ? (
        <p key={index} class="entry">
          <Inline text={line.slice(2)} />
        </p>
      ) : (
        <p key={index}>
          <Inline text={line} />
        </p>
      ),
    )}
  </div>
);
