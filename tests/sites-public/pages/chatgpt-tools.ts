// The menu behind the plus of ChatGPT's composer. Source: steipete/oracle 0.21.2 of 2026-09-23: entries as menu items, the pill of
// Deep research beside the composer, web search as an element in the text that has a description in the menu.
import type { Chat } from "./chat.ts";
import { button, element } from "./element.ts";

const described: Readonly<Record<string, string>> = { "Web search": "Find real-time news and info" };

function inlinePill(name: string): HTMLElement {
  const pill = element("span", {
    "data-inline-selection-pill": true,
    "data-id": "search",
    "data-system-hint-type": "search",
    contenteditable: "false",
  });
  pill.textContent = name;
  return pill;
}

export function mountTools(chat: Chat, words: { readonly add: string }, field: HTMLElement): HTMLElement {
  const place = element("div", { style: "display:inline-block" });
  const menu = element("div", { role: "menu", "data-radix-menu-content": true, hidden: true });
  menu.style.cssText = "position:fixed;left:20px;bottom:200px;width:260px;background:#fff;border:1px solid;z-index:9";
  const choose = (name: string) => {
    menu.hidden = true;
    if (chat.scenario.toolsFail) return;
    chat.tool = name;
    if (name === "Web search") {
      field.querySelector("p")?.prepend(inlinePill(name));
      return;
    }
    const remove = button({ "aria-label": `${name}, click to remove` }, () => {
      chat.tool = null;
      pill.remove();
    });
    const pill = element("div", { class: "__composer-pill-composite" }, element("span", {}, name), remove);
    place.append(pill);
  };
  const item = (name: string, press: () => void) => {
    const made = element("div", { role: "menuitem", tabindex: "0", "data-radix-collection-item": true });
    made.append(element("span", {}, name), element("span", {}, described[name] ?? ""));
    made.addEventListener("click", press);
    return made;
  };
  menu.append(
    item("Add photos & files", () => (menu.hidden = true)),
    ...chat.scenario.tools.map((name) => item(name, () => choose(name))),
  );
  queueMicrotask(() => document.body.append(menu));
  const plus = button(
    { "data-testid": "composer-plus-btn", id: "composer-plus-btn", "aria-label": words.add, "aria-haspopup": "menu" },
    () => (menu.hidden = !menu.hidden),
  );
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") menu.hidden = true;
  });
  place.append(plus);
  return place;
}

/** The frame of a report, on a host of its own. */
export function reportFrame(conversation: string): HTMLElement {
  const src = `https://web-sandbox.oaiusercontent.com/connector_openai_deep_research?conversation=${conversation}`;
  return element("iframe", { src, width: "600", height: "400", title: "report" });
}
