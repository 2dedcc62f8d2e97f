// Gemini's menu of modes: entries of its own element with a label, known by a hash or a word, and the switch for longer thinking.
import type { Chat } from "./chat.ts";
import { button, element, later } from "./element.ts";

const hashes: Readonly<Record<string, string>> = {
  "3.1 Flash-Lite": "8c46e95b1a07cecc",
  "3.8 Flash": "56fdd199312815e2",
  "3.1 Pro": "e6fa609c3fa255c0",
};
const wordsOf: Readonly<Record<string, string>> = {
  "3.1 Flash-Lite": "fast",
  "3.8 Flash": "thinking",
  "3.1 Pro": "pro",
};
const english = {
  open: "Open mode picker, currently",
  extended: "Extended thinking",
  level: "Thinking level",
  pill: "Extended",
  standard: "Standard",
};
const japanese: typeof english = {
  open: "モード選択ツールを開く。現在",
  extended: "強化版思考モード",
  level: "思考レベル",
  pill: "拡張",
  standard: "標準",
};
const subs: Readonly<Record<string, string>> = {
  "3.1 Flash-Lite": "Fastest answers",
  "3.8 Flash": "All-around help",
  "3.1 Pro": "Complex problem solving",
};

interface Modes {
  model: string;
  extended: boolean;
  levels: boolean;
}

export function mountModes(chat: Chat): HTMLElement {
  const { scenario } = chat;
  const words = scenario.language === "ja" ? japanese : english;
  const modes: Modes = { model: scenario.model, extended: scenario.effort === "Extended", levels: false };
  const pill = element("div", { class: "logo-pill-label-container", "data-test-id": "logo-pill-label-container" });
  const opener = button(
    { class: "input-area-switch", "data-test-id": "bard-mode-menu-button", "aria-haspopup": "menu" },
    () => show(pane.hidden !== false),
    pill,
  );
  const pane = element("div", { class: "cdk-overlay-pane", hidden: true });
  pane.style.cssText = "position:fixed;right:10px;bottom:120px;width:260px;background:#fff;border:1px solid";
  document.body.append(pane);
  const draw = () => {
    chat.chosen = { model: modes.model, effort: modes.extended ? "Extended" : "Standard" };
    const short = modes.model.replace(/^[\d.]+\s+/, "");
    pill.replaceChildren(element("span", { class: "picker-primary-text" }, short));
    if (modes.extended) pill.append(element("span", { class: "picker-secondary-text" }, words.pill));
    pill.classList.toggle("thinking-level-enabled", modes.extended);
    opener.setAttribute("aria-label", `${words.open} ${short}${modes.extended ? ` ${words.pill}` : ""}`);
  };
  const show = (open: boolean) => {
    pane.hidden = !open;
    modes.levels = false;
    opener.setAttribute("aria-expanded", String(open));
    pane.replaceChildren(...(open ? [menu(chat, modes, words, change)] : []));
    if (open) late(pane, scenario.menuTextMs);
  };
  const change = (then: "close" | "stay") => {
    draw();
    if (then === "close") show(false);
    else pane.replaceChildren(menu(chat, modes, words, change));
  };
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") show(false);
  });
  draw();
  return element("bard-mode-switcher", {}, opener);
}

/** The entries are there at once, their labels a moment later. */
function late(pane: HTMLElement, ms: number): void {
  const labels = [...pane.querySelectorAll<HTMLElement>(".label, .sublabel")].map((node) => ({
    node,
    text: node.textContent,
  }));
  for (const { node } of labels) node.textContent = "";
  later(ms, () => {
    for (const { node, text } of labels) node.textContent = text;
  });
}

type Change = (then: "close" | "stay") => void;

function entry(
  attributes: Record<string, string>,
  label: string,
  sub: string,
  selected: boolean,
  press: () => void,
): HTMLElement {
  const item = element(
    "gem-menu-item",
    {
      role: "menuitem",
      tabindex: "0",
      ...attributes,
      class: selected ? "selected" : "",
      "data-active": String(selected),
    },
    element(
      "div",
      { class: "label-container" },
      element("span", { class: "label" }, label),
      element("span", { class: "sublabel" }, sub),
    ),
  );
  item.style.display = "block";
  item.addEventListener("click", press);
  return item;
}

function modelEntries(chat: Chat, modes: Modes, change: Change): HTMLElement[] {
  const { models, modeIds, modelReverts, menuCloses } = chat.scenario;
  return models.map((name) => {
    const id = (modeIds === "words" ? wordsOf[name] : hashes[name]) ?? name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "");
    const attributes = { "data-mode-id": id, "data-test-id": `bard-mode-option-${id}` };
    return entry(attributes, name, subs[name] ?? "", name === modes.model, () => {
      if (!modelReverts) modes.model = name;
      change(menuCloses ? "close" : "stay");
    });
  });
}

function menu(chat: Chat, modes: Modes, words: typeof english, change: Change): HTMLElement {
  const box = element(
    "gem-menu",
    { role: "menu", "data-test-id": "gem-mode-menu", "data-visible": "true" },
    ...modelEntries(chat, modes, change),
  );
  if (chat.scenario.thinkingMenu === "switch") {
    const flip = () => {
      modes.extended = !modes.extended;
      change("stay");
    };
    box.append(entry({}, words.extended, "", modes.extended, flip));
    return box;
  }
  const open = () => {
    modes.levels = !modes.levels;
    change("stay");
  };
  const current = modes.extended ? words.pill : words.standard;
  const levels = entry(
    { value: "thinking_level", "aria-expanded": String(modes.levels), "aria-haspopup": "menu" },
    words.level,
    current,
    false,
    open,
  );
  box.append(levels);
  if (!modes.levels) return box;
  for (const extended of [false, true]) {
    const set = () => {
      modes.extended = extended;
      change("stay");
    };
    box.append(
      entry(
        { "data-test-id": `thinking-level-${extended ? "extended" : "standard"}` },
        extended ? words.pill : words.standard,
        "",
        modes.extended === extended,
        set,
      ),
    );
  }
  return box;
}
