// A stand-in of GitHub Copilot on the web, written from public evidence by somebody who had not read the drivers. Sources:
// - GitHub's own chat message component and its test as a public repository holds them, 2026: containers, headings, toolbars,
//   copy button only when the answer is not being written, test ids, interrupted and failed answers.
// - tokenless, a public provider driver, 2026: composer, modes Ask and Agent, repository buttons, upload menu, reference tokens,
//   model and effort buttons, tasks of Agent.
// - chat exporters and user scripts, 2025 to 2026: nested user message, toolbar, hashes in class names.
// - notes on an Oracle fork against a real page, 2025-11: model menu items, collapsed file blocks, icons of send and stop.
// The page is English only: no source shows another language.
import type { Chat, Start } from "./chat.ts";
import { mountComposer } from "./copilot-composer.ts";
import { drawMessage } from "./copilot-turn.ts";
import { button, element, later } from "./element.ts";
import { moduleClass } from "./module-class.ts";
import { dialogBox, openDialogs } from "./notices.ts";
import { TurnList } from "./turns.ts";

function followAddress(chat: Chat): void {
  let shown = chat.conversation;
  chat.onChange(() => {
    if (chat.conversation === null || chat.conversation === shown) return;
    shown = chat.conversation;
    if (!agentTask(chat)) history.pushState(null, "", `/copilot/c/${shown}`);
  });
}

/** An Agent task has no conversation on this page: it stands in the list of tasks. */
const agentTask = (chat: Chat): boolean => document.body.dataset["mode"] === "Agent" && chat.turns.length > 0;

const announcement = () => {
  const box = element("div", { "data-testid": "product-announcement-modal", role: "dialog", "aria-modal": "true" });
  box.style.cssText = "position:fixed;inset:0;background:#fff;z-index:40";
  box.append(
    element("h1", {}, "Try the new model"),
    button({ "aria-label": "Close" }, () => box.remove()),
  );
  return box;
};

function flashes(chat: Chat): HTMLElement {
  const place = element("div", {});
  chat.onChange(() => {
    const flash =
      chat.notice === null ? null : element("div", { class: "flash flash-error", role: "alert" }, chat.notice);
    const dialog =
      chat.dialog === null
        ? null
        : dialogBox(
            chat.dialog,
            "You have exceeded a rate limit. Please wait a few minutes before you try again.",
            () => {
              chat.dialog = null;
              chat.changed();
            },
          );
    place.replaceChildren(...[flash, dialog].filter((one) => one !== null));
  });
  return place;
}

const user = () =>
  button(
    {
      "data-login": "jo",
      class: moduleClass("GlobalNavUserMenu", "anchor"),
      "aria-label": "Open user navigation menu",
    },
    null,
  );

export function mountCopilot(chat: Chat, _start: Start): void {
  const root = document.querySelector("#root");
  const messages = element("div", { class: moduleClass("ConversationView", "messageList") });
  const list = new TurnList(chat, messages, drawMessage(chat));
  const tasks = element("div", { class: moduleClass("DashboardListView", "container") });
  const bottom = element("div", { class: moduleClass("ChatPanel", "inputContainer") });
  const view = element("div", { class: moduleClass("ConversationView", "container") }, messages, flashes(chat), bottom);
  root?.append(
    element("header", {}, user()),
    element("react-app", { "app-name": "copilot-immersive" }, element("main", {}, tasks, view)),
  );
  followAddress(chat);
  chat.onChange(() => {
    if (!agentTask(chat)) return list.draw();
    const href = `/${chat.scenario.repository ?? "owner/repo"}/tasks/${chat.conversation ?? ""}`;
    tasks.replaceChildren(element("a", { class: moduleClass("DashboardListView", "ItemTitle"), href }, "New task"));
  });
  openDialogs(chat, announcement());
  if (!chat.scenario.composerGone)
    later(chat.scenario.composerMs, () => {
      mountComposer(chat, bottom);
      chat.changed();
    });
  chat.changed();
  chat.resume();
}
