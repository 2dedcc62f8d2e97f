// The elements of the GitHub Copilot stand-in: class names with a hash that is another one at every load.
import { type Chat, type Skin, madeParts, make } from "./chat.ts";
import { escape, render } from "./render.ts";

const hash = Math.random().toString(36).slice(2, 8);
const css = (name: string) => `${name}--${hash}`;

const code = (html: string, language: string, folded: boolean) =>
  `<div class="${css("FileBlock-module__container")}">${
    folded ? `<button aria-expanded="false" class="${css("CodeBlock-module__toggle")}">diff</button>` : ""
  }<pre${folded ? ' style="display:none"' : ""}><code class="language-${language}">${html}</code></pre></div>`;

function modelMenu(chat: Chat, button: HTMLElement): void {
  const { scenario } = chat.start;
  const menu = make('<ul role="menu"></ul>');
  for (const name of scenario.models) {
    const item = make(`<li role="menuitemradio">${name}</li>`);
    item.addEventListener("click", () => {
      menu.remove();
      chat.chooseModel(name, button);
    });
    menu.append(item);
  }
  document.body.append(menu);
}

function modeMenu(chat: Chat, button: HTMLElement): void {
  const menu = make('<ul role="menu"></ul>');
  for (const name of ["Ask", "Agent"] as const) {
    const item = make(`<li role="menuitemradio" aria-checked="${chat.mode === name}">${name}</li>`);
    item.addEventListener("click", () => {
      menu.remove();
      if (!chat.choose(name)) return;
      button.textContent = name;
      if (name === "Ask") document.querySelector("[aria-label^='Repository:']")?.remove();
    });
    menu.append(item);
  }
  document.body.append(menu);
}

export const copilot: Skin = {
  layout(chat) {
    const { scenario } = chat.start;
    const root = document.getElementById("root") as HTMLElement;
    root.append(
      make(`<header><button data-login="me" class="${css("GlobalNavUserMenu-module__anchor")}">me</button></header>`),
      make(`<div class="${css("ConversationView-module__container")}"><div class="thread"></div></div>`),
      make(`<form onsubmit="return false"><div role="toolbar" aria-label="Attachments" class="chips"></div>
        <textarea id="copilot-chat-textarea" placeholder="Ask anything" rows="3" cols="80"></textarea>
        <button type="button" class="${css("ModelPicker-module__menuButton")}">${scenario.model}</button>
        <button type="button" data-testid="attachment-menu-button">+</button>
        <input id="image-uploader" type="file" multiple style="display:none">
        <div class="${css("ChatInput-module__toolbarRight")}"><button type="button" data-component="IconButton" class="go"><svg class="octicon octicon-paper-airplane" width="16" height="16"></svg></button></div></form>`),
    );
    if (scenario.mode !== null) {
      const mode = make(
        `<button type="button" class="${css("ChatInput-module__modeSelectButton")}" aria-haspopup="menu">${scenario.mode}</button>`,
      );
      mode.addEventListener("click", () => modeMenu(chat, mode));
      root.querySelector("form")?.append(mode);
      if (scenario.mode === "Agent")
        root
          .querySelector("form")
          ?.append(make('<button type="button" aria-label="Repository: me/prod">me/prod</button>'));
    }
    const button = root.querySelector("[class*='ModelPicker-module__menuButton']") as HTMLElement;
    button.addEventListener("click", () => modelMenu(chat, button));
    const input = root.querySelector("#image-uploader") as HTMLInputElement;
    input.addEventListener("change", () => {
      chat.attach([...(input.files ?? [])]);
      input.value = "";
    });
    return {
      composer: root.querySelector("#copilot-chat-textarea") as HTMLElement,
      send: root.querySelector(".go") as HTMLButtonElement,
      form: root.querySelector("form") as HTMLElement,
      thread: root.querySelector(".thread") as HTMLElement,
      chips: root.querySelector(".chips") as HTMLElement,
    };
  },
  user: (turn) =>
    make(
      `<div class="${css("UserMessage-module__container")}"><h3 class="sr-only">You said: ${escape(turn.text.slice(0, 40))}</h3><div style="white-space:pre-wrap">${escape(turn.text)}</div></div>`,
    ),
  assistant(turn, chat) {
    const latest = turn.id === chat.turns.at(-1)?.id ? css("ChatMessage-module__latest") : "";
    const preamble = turn.preamble === null ? "" : `<p>${escape(turn.preamble)}</p>`;
    const body =
      turn.state === "thinking" ? "Thinking…" : `${preamble}${render(turn.text, chat.start.scenario, { code })}`;
    const box =
      make(`<div class="message-container ${css("ChatMessage-module__chatMessage")} ${css("ChatMessage-module__ai")} ${latest}">
      <div class="markdown-body" data-copilot-markdown>${body}</div>
      </div>`);
    for (const unfold of box.querySelectorAll("button[aria-expanded='false']"))
      unfold.addEventListener("click", () => {
        unfold.parentElement?.querySelector("pre")?.removeAttribute("style");
        unfold.remove();
      });
    box.append(...madeParts(chat, turn));
    if (chat.barOf(turn)) {
      const bar = make(
        `<div data-testid="nonshared-toolbar" role="toolbar" aria-label="Message tools"><button>+</button><button>-</button>${
          chat.start.scenario.copy === "none"
            ? ""
            : '<button class="copy"><svg class="octicon octicon-copy" width="16" height="16"></svg></button>'
        }</div>`,
      );
      bar.querySelector(".copy")?.addEventListener("click", () => void chat.copy(turn));
      box.append(bar);
    }
    return box;
  },
  working(chat, on) {
    const icon = on ? "square-fill" : "paper-airplane";
    const { send } = chat.parts;
    if (send.querySelector(`.octicon-${icon}`)) return;
    send.replaceChildren(make(`<svg class="octicon octicon-${icon}" width="16" height="16"></svg>`));
    if (on) send.dataset["loading"] = "true";
    else delete send.dataset["loading"];
  },
  chip: (name, busy) =>
    make(
      `<a class="${css("ReferenceToken-module__referenceToken")}" title="${escape(name)}"${busy ? ' data-loading="true"' : ""}>${escape(name) || "&nbsp;"}</a>`,
    ),
  toast: (_, words) => document.body.append(make(`<div data-testid="attachment-error">${escape(words)}</div>`)),
  error: (chat) => chat.parts.form.before(make(`<div data-testid="message-error">Something went wrong</div>`)),
  dialog(_, kind) {
    const words = {
      announcement: "Copilot has news",
      throttle: "You have hit a rate limit",
      strange: "Choose a plan",
    }[kind];
    const id = kind === "announcement" ? ' data-testid="product-announcement-modal"' : "";
    const box = make(
      `<div role="dialog"${id} style="position:fixed;inset:0;background:#fffd">${words}<button aria-label="Close">x</button></div>`,
    );
    if (kind === "announcement") box.querySelector("button")?.addEventListener("click", () => box.remove());
    document.body.append(box);
  },
  address: (conversation) => `/copilot/c/${conversation}`,
};
