// The pill in ChatGPT's composer and its panel: models as radios in a view that is inert until it is opened, effort as a slider
// that arrow keys move and a click throws to where the pointer is.
import type { Chat } from "./chat.ts";
import { button, element } from "./element.ts";

const english = {
  select: "Select model",
  power: "Power",
  open: "Thinking effort",
  of: (n: number, all: number) => `, ${n} of ${all}.`,
};
const japanese = {
  select: "モデルを選択",
  power: "パワー",
  open: "思考時間",
  of: (n: number, all: number) => `、${n} / ${all}`,
};
const japaneseNames: Readonly<Record<string, string>> = {
  Latest: "最新",
  Instant: "即時",
  Medium: "中",
  High: "高い",
  "Extra High": "非常に高い",
};

export class Picker {
  model: string;
  effort: number;
  open = false;
  advanced = false;
  readonly #chat: Chat;
  constructor(chat: Chat) {
    this.#chat = chat;
    this.model = chat.scenario.model;
    this.effort = Math.max(0, chat.scenario.efforts.indexOf(chat.scenario.effort));
  }

  /** The model resets the effort to at most the one below Pro. */
  choose(model: string): void {
    if (!this.#chat.scenario.modelReverts) {
      this.model = model;
      this.effort = Math.min(this.effort, Math.max(0, this.#chat.scenario.efforts.length - 2));
    }
    this.advanced = false;
    if (this.#chat.scenario.menuCloses) this.open = false;
  }

  move(to: number): void {
    const { efforts, lockedEfforts } = this.#chat.scenario;
    const next = Math.max(0, Math.min(efforts.length - 1, to));
    if (!lockedEfforts.includes(efforts[next] ?? "")) this.effort = next;
  }

  /** With Pro the pill names the version as well: a word of the model that is not the model's name. */
  pill(word: (name: string) => string): string {
    const effort = this.#chat.scenario.efforts[this.effort] ?? "";
    if (effort !== "Pro") return word(effort);
    const version = this.model === "Latest" ? "6" : (/\d+(?:\.\d+)?/.exec(this.model)?.[0] ?? "");
    return `${version} Pro`;
  }
}

export function mountPicker(chat: Chat): HTMLElement {
  const ja = chat.scenario.language === "ja";
  const words = ja ? japanese : english;
  const word = (name: string) => (ja ? (japaneseNames[name] ?? name) : name);
  const picker = new Picker(chat);
  const label = element("span", { "data-animated-slider-trigger": "true" });
  const pill = button(
    {
      class: "__composer-pill",
      "aria-haspopup": "menu",
      "data-tone": "neutral",
      id: `radix-${crypto.randomUUID().slice(0, 8)}`,
    },
    null,
    label,
  );
  const menu = element("div", { role: "menu", "data-radix-menu-content": true, "data-state": "closed", hidden: true });
  menu.style.cssText = "position:fixed;left:20px;bottom:60px;width:320px;background:#fff;border:1px solid";
  const draw = () => {
    chat.chosen = { model: picker.model, effort: chat.scenario.efforts[picker.effort] ?? "" };
    label.textContent = picker.open ? words.open : picker.pill(word);
    pill.setAttribute("aria-expanded", String(picker.open));
    pill.dataset["state"] = picker.open ? "open" : "closed";
    menu.hidden = !picker.open;
    menu.dataset["state"] = pill.dataset["state"];
    if (picker.open) menu.replaceChildren(panel(chat, picker, words, word, draw));
    else menu.replaceChildren();
    if (picker.open) fillTexts(menu, chat.scenario.menuTextMs);
  };
  opens(pill, menu, picker, draw);
  draw();
  queueMicrotask(() => document.body.append(menu));
  return pill;
}

/** The panel opens on the press of the pointer, or by Enter; a lone click event does nothing. */
function opens(pill: HTMLElement, menu: HTMLElement, picker: Picker, draw: () => void): void {
  const set = (open: boolean) => {
    [picker.open, picker.advanced] = [open, false];
    draw();
  };
  pill.addEventListener("pointerdown", () => set(!picker.open));
  pill.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " " || event.key === "ArrowDown") {
      event.preventDefault();
      set(true);
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && picker.open) set(false);
  });
  document.addEventListener("pointerdown", (event) => {
    const target = event.target as Node;
    if (picker.open && !menu.contains(target) && !pill.contains(target)) set(false);
  });
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

const filled = new WeakSet<Element>();

/** The texts come a moment after the entries, once for each opening. */
function fillTexts(menu: HTMLElement, ms: number): void {
  if (filled.has(menu) || ms === 0) return;
  filled.add(menu);
  const hidden = [...menu.querySelectorAll<HTMLElement>("[role=menuitemradio]")].map((item) => {
    const text = item.textContent;
    item.textContent = "";
    return { item, text };
  });
  setTimeout(() => {
    for (const { item, text } of hidden) item.textContent = text;
  }, ms);
}

type Words = typeof english;

function panel(
  chat: Chat,
  picker: Picker,
  words: Words,
  word: (name: string) => string,
  draw: () => void,
): HTMLElement {
  const { efforts } = chat.scenario;
  const toggle = element(
    "div",
    { role: "menuitem", tabindex: "0", "aria-label": words.select },
    word(efforts[picker.effort] ?? ""),
  );
  const flip = () => {
    picker.advanced = !picker.advanced;
    draw();
  };
  toggle.addEventListener("click", flip);
  return element(
    "div",
    { "data-testid": "composer-intelligence-picker-content", role: "group" },
    element("div", { "data-model-selection-view": true, "data-expanded": String(picker.advanced) }, toggle),
    simpleView(chat, picker, words, word, draw),
    advancedView(chat, picker, word, draw),
  );
}

function simpleView(
  chat: Chat,
  picker: Picker,
  words: Words,
  word: (name: string) => string,
  draw: () => void,
): HTMLElement {
  const { efforts } = chat.scenario;
  const top = String(efforts.length - 1);
  const slider = element("span", {
    role: "slider",
    tabindex: "-1",
    "aria-valuemin": "0",
    "aria-valuemax": top,
    "aria-valuenow": String(picker.effort),
  });
  slider.style.cssText = "display:inline-block;width:120px;height:20px;background:#ddd";
  const row = element(
    "div",
    {
      role: "menuitem",
      tabindex: "0",
      "aria-label": words.power,
      "aria-keyshortcuts": "ArrowLeft ArrowRight",
      "aria-describedby": "effort-caption",
    },
    element("div", { "data-model-reasoning-effort-slider": true }, slider),
  );
  row.addEventListener("keydown", (event) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    picker.move(picker.effort + step);
    draw();
    document
      .querySelector<HTMLElement>("[data-model-reasoning-effort-slider]")
      ?.closest<HTMLElement>("[role=menuitem]")
      ?.focus();
  });
  row.addEventListener("click", (event) => {
    if (!event.isTrusted) return;
    const { left, width } = row.getBoundingClientRect();
    picker.move(Math.round(((event.clientX - left) / width) * (efforts.length - 1)));
    draw();
  });
  const caption = `${word(efforts[picker.effort] ?? "")}${words.of(picker.effort + 1, efforts.length)}`;
  return element(
    "div",
    { "data-testid": "composer-model-picker-slider-simple-view", "data-active": String(!picker.advanced) },
    row,
    element("span", { id: "effort-caption", role: "status" }, caption),
  );
}

function advancedView(chat: Chat, picker: Picker, word: (name: string) => string, draw: () => void): HTMLElement {
  const radios = chat.scenario.models.map((name) => {
    const checked = name === picker.model;
    const radio = element(
      "div",
      {
        role: "menuitemradio",
        tabindex: "-1",
        "aria-checked": String(checked),
        "data-state": checked ? "checked" : "unchecked",
      },
      word(name),
    );
    const choose = () => {
      if (!picker.advanced) return;
      picker.choose(name);
      draw();
    };
    radio.addEventListener("click", (event) => {
      if (!event.isTrusted || chat.scenario.mouseChooses) choose();
    });
    radio.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") choose();
    });
    return radio;
  });
  return element(
    "div",
    {
      "data-testid": "composer-model-picker-slider-advanced-view",
      "data-active": String(picker.advanced),
      inert: !picker.advanced,
    },
    ...radios,
  );
}
