// A stand-in of ChatGPT, written from public evidence by somebody who had not read the drivers. Sources, with their dates:
// - rzn-browser, workflows for ChatGPT, "verified live 2026-08-31": picker, slider, Chat and Work, upload inputs, stop words.
// - prolink, content script of August 2026: pill, inert view of models, order of opening and choosing.
// - an internet client that drives Chrome, 2026: session, effort slider in a menu, turns by data-turn, stop button.
// - a picker fixture of a test suite, 2026: attributes of the slider, locked levels, versions of models.
// - steipete/oracle 0.21.2, 2026-09-23: session endpoint, /c/WEB addresses, status turns, limits outside of dialogs, finished marks.
// - exporters and user scripts of 2026: sections with data-turn, "Response actions", viewer of code, file tiles, error button.
// - notes on uploads, 2026: three inputs by id, a hidden text area with the id of the composer.
import { mountComposer } from "./chatgpt-composer.ts";
import { drawTurn } from "./chatgpt-turn.ts";
import type { Chat, Start } from "./chat.ts";
import { button, element, later } from "./element.ts";
import { dialogBox, openDialogs } from "./notices.ts";
import { TurnList } from "./turns.ts";

const japanese = { chat: "チャット", work: "仕事", heading: "チャット画面" };

function surfaceSwitch(chat: Chat): HTMLElement | null {
  const { surface, language } = chat.scenario;
  if (surface === "none") return null;
  const words = language === "ja" ? japanese : { chat: "Chat", work: "Work", heading: "Chat surface" };
  const group = element("div", { role: "radiogroup", "aria-label": words.heading });
  let current = surface;
  const draw = () =>
    group.replaceChildren(
      ...(["chat", "work"] as const).map((name) =>
        button(
          { role: "radio", "aria-checked": String(current === name), "data-state": current === name ? "on" : "off" },
          () => {
            current = name;
            group.dataset["surface"] = name;
            draw();
          },
          words[name],
        ),
      ),
    );
  group.dataset["surface"] = current;
  draw();
  return group;
}

const profile = () =>
  button(
    { "data-testid": "accounts-profile-button", "aria-haspopup": "menu", "aria-label": "Open profile menu" },
    null,
  );

const loggedOut = () =>
  element(
    "div",
    {},
    button({ "data-testid": "login-button" }, null, "Log in"),
    button({ "data-testid": "signup-button" }, null, "Sign up for free"),
  );

/** The address of a new conversation: for a moment one that nothing can open again. */
function followAddress(chat: Chat): void {
  let shown: string | null = chat.conversation;
  chat.onChange(() => {
    if (chat.conversation === null || chat.conversation === shown) return;
    const first = shown === null;
    shown = chat.conversation;
    const path = `/c/${shown}`;
    if (first && chat.scenario.transientMs > 0) {
      history.pushState(null, "", `/c/WEB:${crypto.randomUUID()}`);
      later(chat.scenario.transientMs, () => history.replaceState(null, "", path));
    } else history.pushState(null, "", path);
  });
}

function notices(chat: Chat): HTMLElement {
  const place = element("div", { "aria-live": "polite" });
  chat.onChange(() => {
    const banner = chat.scenario.limit === "banner";
    const notice =
      chat.notice === null
        ? null
        : banner
          ? element("div", { class: "bg-token-main-surface-secondary", role: "status" }, chat.notice)
          : element("div", { "data-testid": "toast-error", role: "alert" }, chat.notice);
    const dialog =
      chat.dialog === null
        ? null
        : dialogBox(chat.dialog, "You're making requests too quickly. Please wait a few minutes.", () => {
            chat.dialog = null;
            chat.changed();
          });
    place.replaceChildren(...[notice, dialog].filter((one) => one !== null));
  });
  return place;
}

const announcement = () => {
  const box = element("div", { role: "dialog", "data-testid": "modal-announcement", "data-state": "open" });
  box.style.cssText = "position:fixed;inset:0;background:#fff;z-index:40";
  box.append(
    element("h2", {}, "New in ChatGPT"),
    button({ "data-testid": "close-button", "aria-label": "Close" }, () => box.remove()),
  );
  return box;
};

export function mountChatgpt(chat: Chat, start: Start): void {
  const root = document.querySelector("#root");
  const thread = element("div", { id: "thread", role: "presentation" });
  const turns = new TurnList(chat, thread, drawTurn(chat));
  const surface = surfaceSwitch(chat);
  const bottom = element("div", { id: "thread-bottom" });
  root?.append(
    element("nav", { "aria-label": "Chat history" }, start.loggedIn ? profile() : loggedOut()),
    element("main", { id: "main" }, surface, thread, bottom, notices(chat)),
  );
  followAddress(chat);
  chat.onChange(() => turns.draw());
  openDialogs(chat, announcement());
  if (!chat.scenario.composerGone)
    later(chat.scenario.composerMs, () => {
      mountComposer(chat, bottom, () => surface?.dataset["surface"] === "work");
      chat.changed();
    });
  chat.changed();
  chat.resume();
}
