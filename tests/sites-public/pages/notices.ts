// What stands over a page: an announcement, a dialog without a name, a limit.
import type { Chat } from "./chat.ts";
import { button, element } from "./element.ts";

const box = "position:fixed;inset:10% 20%;background:#fff;border:1px solid;z-index:50;padding:1em";

export function openDialogs(chat: Chat, announcement: HTMLElement): void {
  const { scenario } = chat;
  if (scenario.announcement) document.body.append(announcement);
  if (scenario.strangeDialog) {
    const dialog = element("div", { role: "dialog", "aria-modal": "true", style: box });
    dialog.append(element("h2", {}, "Before you continue"), element("p", {}, "Please read this."));
    document.body.append(dialog);
  }
  if (scenario.wall === "throttle") chat.dialog = "Too many requests";
  if (scenario.limit === "toast" || scenario.limit === "banner") chat.notice = scenario.limitText;
}

export const dialogBox = (name: string, text: string, close: () => void): HTMLElement =>
  element(
    "div",
    { role: "dialog", "aria-modal": "true", "data-state": "open", style: box },
    element("h2", {}, name),
    element("p", {}, text),
    button({}, close, "Got it"),
  );
