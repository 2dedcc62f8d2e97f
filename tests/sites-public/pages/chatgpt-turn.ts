// A turn of ChatGPT: a section with a heading, the message with its role and id, and the actions below.
import type { TurnState } from "../../sites/pages/shapes.ts";
import { type Chat, copyTurn, writing } from "./chat.ts";
import { reportFrame } from "./chatgpt-tools.ts";
import { button, element } from "./element.ts";
import { madeByChatgpt } from "./made.ts";
import { coloured, drawMarkdown } from "./markdown.ts";
import type { DrawTurn } from "./turns.ts";

function codeBody(chat: Chat, language: string, code: string): HTMLElement {
  if (chat.scenario.codeBlocks === "viewer") {
    const lines = code.replace(/\n$/, "").split("\n");
    const content = element("div", { class: "cm-content q9tKkq_readonly" });
    content.append(...lines.map((line) => element("div", { class: "cm-line" }, ...coloured(line))));
    const scroller = element("div", { class: "cm-scroller" }, content);
    return element("div", { id: "code-block-viewer", dir: "ltr", class: "q9tKkq_viewer cm-editor" }, scroller);
  }
  const text = chat.scenario.highlight ? coloured(code) : [document.createTextNode(code)];
  return element("code", { class: `whitespace-pre! language-${language}` }, ...text);
}

const drawCode = (chat: Chat) => (language: string, code: string) =>
  element(
    "pre",
    { class: "overflow-visible! px-0!" },
    element(
      "div",
      { class: "flex w-full items-center justify-between select-none" },
      element("div", { class: "text-sm font-medium" }, language),
      button({ "aria-label": "Copy" }, null, "Copy code"),
    ),
    element("div", { class: "overflow-y-auto", dir: "ltr" }, codeBody(chat, language, code)),
  );

const action = (testid: string, label: string, press: (() => void) | null) =>
  button({ "data-testid": testid, "aria-label": label }, press, element("span", {}));

function actions(chat: Chat, turn: TurnState): HTMLElement {
  const copy = () => void copyTurn(chat, turn).catch(() => undefined);
  const user = turn.role === "user";
  const group = element("div", { "aria-label": user ? "Your message actions" : "Response actions", role: "group" });
  if (chat.scenario.copy !== "none" || user)
    group.append(action("copy-turn-action-button", user ? "Copy message" : "Copy response", copy));
  if (user) return group;
  group.append(
    action("good-response-turn-action-button", "Good response", null),
    action("bad-response-turn-action-button", "Bad response", null),
    button({ "aria-label": "Share" }, null, element("span", {})),
  );
  return group;
}

function userBody(turn: TurnState): HTMLElement {
  const text = element("div", { class: "whitespace-pre-wrap" }, turn.text);
  return element("div", { class: "user-message-bubble-color" }, text);
}

/** A status is a message like any other: it has a body, and at times the actions of a finished answer. */
function assistantBody(chat: Chat, turn: TurnState): HTMLElement[] {
  const status = (text: string) => element("div", { class: "markdown prose" }, element("p", {}, text));
  if (turn.state === "thinking") return [element("span", { class: "loading-shimmer" }, "Thinking")];
  if (turn.state === "preamble") return [status(turn.preamble ?? "Pro thinking")];
  if (chat.scenario.report) return [status("Called tool"), reportFrame(chat.conversation ?? "")];
  const streaming = turn.state === "streaming" ? " result-streaming" : "";
  const body = element("div", { class: `markdown prose${streaming}` });
  body.append(...drawMarkdown(turn.text, drawCode(chat)));
  const thought = turn.preamble === null ? [] : [button({}, null, "Thought for 12s")];
  if (turn.state !== "error") return [...thought, body, ...madeByChatgpt(chat, turn)];
  const retry = button({ "data-testid": "regenerate-thread-error-button" }, null, "Retry");
  const words = "Message delivery timed out. Please try again.";
  return [
    ...thought,
    body,
    element("div", { class: "text-token-text-error border-token-surface-error" }, words, retry),
  ];
}

export const drawTurn =
  (chat: Chat): DrawTurn =>
  ({ turn, index, marks }) => {
    const user = turn.role === "user";
    const message = element(
      "div",
      {
        "data-message-author-role": turn.role,
        "data-message-id": turn.id,
        "data-message-model-slug": turn.model ?? (user ? null : "gpt-5-6-thinking"),
      },
      ...(user ? [userBody(turn)] : assistantBody(chat, turn)),
    );
    return element(
      "section",
      {
        "data-testid": `conversation-turn-${index + 1}`,
        "data-turn": turn.role,
        "data-turn-id": turn.id,
        "aria-busy": writing(turn.state) ? "true" : null,
      },
      element("h4", { class: "sr-only" }, user ? "You said:" : "ChatGPT said:"),
      message,
      marks ? element("div", { class: "z-0 flex justify-start" }, actions(chat, turn)) : null,
    );
  };
