// A stand-in of Gemini, written from public evidence by somebody who had not read the drivers. Sources, with their dates:
// - a page adapter of an extension, 2026-06/09: login link, menu items with data-mode-id, upload input, previews, turns.
// - a driver of "3.8 Flash" for the Japanese page, 2026-09: send container, query lines, footer, pill of two words.
// - a sync adapter for documents, 2026-09: icons by name, conversation containers, stems and extensions of previews, name elision.
// - a selector map in Korean, measured 2026-07: Quill, aria-busy, .response-footer.complete, pill text, profile picture.
// - a mode switcher, 2026-07 (its note: texts of the menu come 200 to 500 ms late), and a mode toggle script with hashed ids.
// - a user script that reads the text being written from another element than the finished one, 2026.
// - steipete/oracle 0.21.2, 2026-09-23, and agbrowse 0.1.22, 2026-08-08: mode names, pending texts, upload menu.
// - reports of a long poll to signaler-pa.clients6.google.com that never ends, 2026.
import type { Chat, Start } from "./chat.ts";
import { button, element, later, matIcon } from "./element.ts";
import { mountComposer } from "./gemini-composer.ts";
import { drawContainer, pairTurns } from "./gemini-turn.ts";
import { dialogBox, openDialogs } from "./notices.ts";
import { TurnList } from "./turns.ts";

const idOf = (conversation: string) => conversation.replaceAll("-", "").slice(0, 16);

function followAddress(chat: Chat): void {
  let shown = chat.conversation;
  chat.onChange(() => {
    if (chat.conversation === null || chat.conversation === shown) return;
    shown = chat.conversation;
    history.pushState(null, "", `/app/${idOf(shown)}`);
  });
}

/** Limits and refusals come as a bar at the bottom of the page. */
function snackBars(chat: Chat): HTMLElement {
  const place = element("div", { class: "cdk-overlay-container" });
  chat.onChange(() => {
    const bar =
      chat.notice === null
        ? null
        : element(
            "mat-snack-bar-container",
            {},
            element(
              "simple-snack-bar",
              { "aria-live": "assertive" },
              element("div", { class: "mat-mdc-snack-bar-label" }, chat.notice),
            ),
          );
    const dialog =
      chat.dialog === null
        ? null
        : dialogBox(chat.dialog, "You've made too many requests. Try again later.", () => {
            chat.dialog = null;
            chat.changed();
          });
    place.replaceChildren(...[bar, dialog].filter((one) => one !== null));
  });
  return place;
}

function account(ja: boolean): HTMLElement {
  const label = ja ? "Google アカウント: 山田花子 (hanako@example.com)" : "Google Account: Jo Doe (jo@example.com)";
  const href = "https://accounts.google.com/SignOutOptions?hl=en&continue=https://gemini.google.com/app";
  return element("a", { href, "aria-label": label }, element("img", { class: "gb_Q", alt: "" }));
}

const announcement = () => {
  const box = element("mat-dialog-container", { role: "dialog", "aria-modal": "true" });
  box.style.cssText = "position:fixed;inset:0;background:#fff;z-index:40";
  box.append(
    element("h1", {}, "Meet the new Gemini"),
    button({ "aria-label": "Close" }, () => box.remove(), matIcon("close")),
  );
  return box;
};

function keepLongPoll(): void {
  const ask = () =>
    fetch("https://signaler-pa.clients6.google.com/punctual/multi-watch/channel?VER=8", { mode: "no-cors" });
  ask().catch(() => later(1_000, keepLongPoll));
}

export function mountGemini(chat: Chat, _start: Start): void {
  const root = document.querySelector("#root");
  const history_ = element("infinite-scroller", { "data-test-id": "chat-history-container", class: "chat-history" });
  const list = new TurnList(chat, history_, drawContainer(chat));
  const inputs = element("input-container", {});
  const ja = chat.scenario.language === "ja";
  const footer = element("sidenav-mavatar-footer", {}, element("img", { class: "mavatar-image", alt: "" }));
  root?.append(
    element(
      "chat-app",
      {},
      element("header", {}, account(ja)),
      element("bard-sidenav", {}, footer),
      element("chat-window", {}, history_, inputs),
    ),
    snackBars(chat),
  );
  followAddress(chat);
  pairTurns(chat);
  chat.onChange(() => list.draw());
  openDialogs(chat, announcement());
  if (chat.scenario.longPoll) keepLongPoll();
  if (!chat.scenario.composerGone)
    later(chat.scenario.composerMs, () => {
      mountComposer(chat, inputs);
      chat.changed();
    });
  chat.changed();
  chat.resume();
}
