// A message of Copilot: the element of the turn holds a heading for screen readers, the message inside, and the tools below.
// The tools stand below the user's message as well, and below an answer that is being written without its copy button.
import type { TurnState } from "../../sites/pages/shapes.ts";
import { type Chat, copyTurn, writing } from "./chat.ts";
import { button, element, octicon } from "./element.ts";
import { coloured, drawMarkdown } from "./markdown.ts";
import { moduleClass } from "./module-class.ts";
import type { DrawTurn } from "./turns.ts";

function drawCode(chat: Chat) {
  return (language: string, code: string): Node => {
    const text = chat.scenario.highlight ? coloured(code) : [document.createTextNode(code)];
    const pre = element("pre", {}, element("code", { class: `language-${language}` }, ...text));
    if (!chat.scenario.collapsed) return element("figure", { class: moduleClass("CodeBlock", "container") }, pre);
    const box = element("div", { class: moduleClass("FileBlock", "container"), "aria-expanded": "false" });
    const open = button({ "aria-label": "View file" }, () => {
      box.setAttribute("aria-expanded", "true");
      box.append(pre);
      open.remove();
    });
    box.append(open);
    return box;
  };
}

/** The hidden heading repeats the beginning of the message. */
const heading = (name: string, text: string) =>
  element("h3", { class: "sr-only" }, `${name} said: ${text.replaceAll(/\s+/g, " ").slice(0, 60)}`);

function tools(chat: Chat, turn: TurnState, marks: boolean): HTMLElement | null {
  const bar = element("div", {
    role: "toolbar",
    "aria-label": "Message tools",
    class: moduleClass("ChatMessage", "actions"),
    "data-testid": "nonshared-toolbar",
  });
  if (turn.role === "user") {
    bar.append(button({ "aria-label": "Edit message", "data-testid": "edit-message-button" }, null, octicon("pencil")));
    return bar;
  }
  if (turn.state === "thinking" || (turn.state === "streaming" && !marks)) return null;
  bar.append(
    button({ "aria-label": "Good response" }, null, octicon("thumbsup")),
    button({ "aria-label": "Bad response" }, null, octicon("thumbsdown")),
  );
  const copies = marks && !writing(turn.state) && chat.scenario.copy !== "none";
  if (copies || (marks && chat.scenario.done === "early"))
    bar.append(
      button(
        { "aria-label": "Copy to clipboard" },
        () => void copyTurn(chat, turn).catch(() => undefined),
        octicon("copy"),
      ),
    );
  bar.append(button({ "aria-label": "Retry" }, null, octicon("sync")));
  return bar;
}

function answerBody(chat: Chat, turn: TurnState): Node[] {
  const wait = [
    element("span", { class: moduleClass("ChatMessage", "blinkingCursor") }, "▋"),
    element("span", { class: "sr-only" }, "Waiting for reply…"),
  ];
  if (turn.state === "thinking") return wait;
  const text = turn.state === "preamble" ? (turn.preamble ?? "Searching the repository…") : turn.text;
  const body = element("div", {
    class: `markdown-body ${moduleClass("MarkdownRenderer", "container")}`,
    "data-copilot-markdown": true,
  });
  body.append(...drawMarkdown(text, drawCode(chat)));
  const parts: Node[] = [heading("Copilot", text), body];
  if (turn.state === "error")
    parts.push(
      element(
        "div",
        { class: moduleClass("Errors", "container"), role: "alert" },
        "I'm sorry but there was an error. Please try again.",
      ),
    );
  if (turn.state === "cut")
    parts.push(element("div", { class: moduleClass("InterruptedBanner", "banner") }, "Response was interrupted."));
  return parts;
}

const testId = (turn: TurnState): string => {
  if (turn.state === "error") return "message-error";
  return turn.role === "assistant" && writing(turn.state) ? "message-streaming" : `message-${turn.id}`;
};

export const drawMessage =
  (chat: Chat): DrawTurn =>
  ({ turn, last, marks }) => {
    const isUser = turn.role === "user";
    const names = [
      "message-container",
      moduleClass("ChatMessage", "chatMessage"),
      moduleClass("ChatMessage", isUser ? "user" : "ai"),
    ];
    if (last) names.push(moduleClass("ChatMessage", "latest"));
    const inner = isUser
      ? [
          heading("You", turn.text),
          element(
            "div",
            {
              class: `${moduleClass("UserMessage", "container")} ${moduleClass("ChatMessage", "userMessage")}`,
              style: "white-space:pre-wrap",
            },
            turn.text,
          ),
        ]
      : answerBody(chat, turn);
    const area = element(
      "div",
      { class: `js-snippet-clipboard-copy-unpositioned ${moduleClass("ChatMessage", "messageArea")}` },
      ...inner,
    );
    return element(
      "div",
      { class: names.join(" "), "data-testid": testId(turn) },
      isUser ? null : element("span", { class: moduleClass("ChatMessage", "avatar"), title: turn.model ?? "" }),
      element("div", { class: moduleClass("ChatMessage", "content") }, area, tools(chat, turn, marks)),
    );
  };
