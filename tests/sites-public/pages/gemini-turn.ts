// A container of Gemini holds a question and its answer. The footer gains `complete` when the answer is whole.
import type { TurnState } from "../../sites/pages/shapes.ts";
import { type Chat, copyTurn, finishedMarks, writing } from "./chat.ts";
import { button, element, matIcon } from "./element.ts";
import { madeByGemini } from "./made.ts";
import { coloured, drawMarkdown } from "./markdown.ts";
import type { DrawTurn } from "./turns.ts";

const drawCode = (chat: Chat) => (language: string, code: string) => {
  const text = chat.scenario.highlight ? coloured(code) : [document.createTextNode(code)];
  const header = element("div", { class: "code-block-decoration header-formatted" }, element("span", {}, language));
  header.append(button({ "aria-label": "Copy code", class: "copy-button" }, null, matIcon("content_copy")));
  const pre = element(
    "pre",
    {},
    element("code", { role: "text", "data-test-id": "code-content", class: "code-container formatted" }, ...text),
  );
  return element(
    "code-block",
    {},
    element(
      "div",
      { class: "code-block" },
      header,
      element("div", { class: "formatted-code-block-internal-container" }, pre),
    ),
  );
};

/** A question keeps its files beside its text: the stem and the ending apart. */
const filesOf = new WeakMap<Chat, Map<string, readonly string[]>>();

export function pairTurns(chat: Chat): void {
  const files = new Map<string, readonly string[]>();
  filesOf.set(chat, files);
  let waiting: readonly string[] = [];
  chat.onChange(() => {
    if (chat.attachments.length > 0) waiting = chat.attachments.map(({ name }) => name);
    const last = chat.turns.findLast(({ role }) => role === "user");
    if (last && !files.has(last.id) && chat.busy) {
      files.set(last.id, waiting);
      waiting = [];
    }
  });
}

function filePreview(name: string): HTMLElement {
  const dot = name.lastIndexOf(".");
  const [stem, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot + 1)] : [name, ""];
  return element(
    "user-query-file-preview",
    {},
    element(
      "div",
      { "data-test-id": "uploaded-file" },
      button({ "aria-label": name }, null),
      element("div", { "data-test-id": "filename-label" }, stem),
      element("div", { class: "extension-label" }, end.toUpperCase()),
    ),
  );
}

function question(chat: Chat, turn: TurnState): HTMLElement {
  const lines = turn.text
    .split("\n")
    .map((line) => element("p", { class: "query-text-line" }, line === "" ? element("br") : line));
  const files = filesOf.get(chat)?.get(turn.id) ?? [];
  return element(
    "user-query",
    {},
    element(
      "user-query-content",
      {},
      ...files.map(filePreview),
      element(
        "div",
        { class: "query-text", role: "heading", "aria-level": "2" },
        element("span", { class: "cdk-visually-hidden" }, "You said"),
        ...lines,
      ),
    ),
  );
}

function footer(chat: Chat, turn: TurnState, marks: boolean): HTMLElement {
  const foot = element("div", { class: `response-footer gap${marks ? " complete" : ""}` });
  if (!marks) return foot;
  const copy = button(
    { "data-test-id": "copy-button", "aria-label": chat.scenario.language === "ja" ? "コピー" : "Copy" },
    () => void copyTurn(chat, turn).catch(() => undefined),
    matIcon("content_copy"),
  );
  const actions = element("message-actions", {}, button({ "aria-label": "Good response" }, null, matIcon("thumb_up")));
  if (chat.scenario.copy !== "none") actions.append(copy);
  foot.append(actions);
  return foot;
}

function body(chat: Chat, turn: TurnState, nodes: readonly Node[]): HTMLElement {
  const busy = writing(turn.state);
  const markdown = element("div", {
    class: "markdown markdown-main-panel",
    id: `model-response-message-content${turn.id.slice(0, 8)}`,
    "aria-live": "polite",
    "aria-busy": String(busy && turn.state !== "preamble"),
  });
  const content = element("message-content", { class: "model-response-text" }, markdown);
  if (busy && chat.scenario.pendingElement && turn.state === "streaming")
    content.append(element("div", { class: "pending" }, ...nodes));
  else markdown.append(...nodes);
  content.append(...madeByGemini(chat, turn));
  return content;
}

function answer(chat: Chat, turn: TurnState, marks: boolean): HTMLElement {
  const text = turn.state === "preamble" ? (turn.preamble ?? "I'm on it. Check back later.") : turn.text;
  const thinking = turn.state === "thinking";
  const nodes = thinking ? [] : drawMarkdown(text, drawCode(chat));
  const wait = element("thinking-overlay", {}, element("div", { role: "progressbar" }), "Thinking…");
  const failed =
    turn.state === "error" ? element("div", { role: "alert", class: "error" }, "Something went wrong (1095)") : null;
  return element(
    "model-response",
    {},
    element(
      "response-container",
      {},
      thinking ? wait : null,
      turn.preamble === null || thinking ? null : element("model-thoughts", {}, button({}, null, "Show thinking")),
      element("div", { class: "response-content" }, body(chat, turn, nodes), failed),
      footer(chat, turn, marks && !thinking),
    ),
  );
}

/** The question draws the container with its answer; the answer itself leaves an empty place that the page does not show. */
export const drawContainer =
  (chat: Chat): DrawTurn =>
  ({ turn, index, marks }) => {
    const id = turn.id.replaceAll("-", "").slice(0, 16);
    const shown = turn.role === "user" ? question(chat, turn) : answer(chat, turn, marks && finishedMarks(chat, turn));
    const kind = index % 2 === 0 ? "conversation-container" : "conversation-container answer-container";
    return element("div", { class: kind, id }, shown);
  };
