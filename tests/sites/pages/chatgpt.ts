// The elements of the ChatGPT stand-in.
import { type Chat, type Skin, madeParts, make } from "./chat.ts";
import { escape, render } from "./render.ts";

const code = (html: string, language: string, folded: boolean) =>
  `<pre><div class="code-header">${language}<button>Copy code</button></div>${
    folded ? '<button aria-expanded="false" data-testid="code-unfold">Show</button>' : ""
  }<code class="language-${language}"${folded ? " hidden" : ""}>${html}</code></pre>`;

function modelMenu(chat: Chat, button: HTMLElement): void {
  const { scenario } = chat.start;
  const menu = make('<div role="menu"></div>');
  const pick = (name: string) => {
    menu.remove();
    chat.chooseModel(name, button);
  };
  const row = (name: string) => {
    const item = make(`<div role="menuitemradio" data-testid="model-switcher-${name.toLowerCase()}">${name}</div>`);
    item.addEventListener("click", () => pick(name));
    return item;
  };
  if (scenario.modelInSubmenu) {
    const sub = make(
      '<div role="menuitem" aria-haspopup="menu" data-testid="model-switcher-legacy">Legacy models</div>',
    );
    sub.addEventListener("click", () => menu.append(...scenario.models.map(row)));
    menu.append(sub);
  } else menu.append(...scenario.models.map(row));
  document.body.append(menu);
}

function modes(chat: Chat): HTMLElement {
  const group = make('<div role="radiogroup"></div>');
  const draw = () => {
    group.replaceChildren(
      ...(["Chat", "Work"] as const).map((name) => {
        const radio = make(`<button role="radio" aria-checked="${chat.mode === name}">${name}</button>`);
        radio.addEventListener("click", () => chat.choose(name) && draw());
        return radio;
      }),
    );
  };
  setTimeout(draw);
  return group;
}

export const chatgpt: Skin = {
  layout(chat) {
    const { scenario, loggedIn } = chat.start;
    const root = document.getElementById("root") as HTMLElement;
    const words = scenario.language === "de" ? "Nachricht an ChatGPT" : "Ask anything";
    root.append(
      make(
        `<header><button data-testid="model-switcher-dropdown-button">${scenario.model}</button>${
          loggedIn
            ? '<button data-testid="accounts-profile-button">me@example.invalid</button>'
            : '<button data-testid="login-button">Log in</button>'
        }</header>`,
      ),
      make('<main><div data-testid="thread"></div></main>'),
      make(`<form onsubmit="return false"><div class="chips"></div>
        ${scenario.decoy ? '<textarea name="prompt-textarea" style="display:none"></textarea>' : ""}
        <div id="prompt-textarea" class="ProseMirror" contenteditable="true" role="textbox" aria-label="${words}" style="white-space:pre-wrap;min-height:40px"></div>
        <button type="button" data-testid="composer-plus-btn">+</button>
        <input type="file" multiple style="display:none"><input type="file" accept="image/*" style="display:none">
        <button type="button" aria-label="Stop dictation">mic</button>
        <button type="button" data-testid="send-button" aria-label="Send">send</button>
        <span class="stop"></span></form>`),
    );
    if (scenario.mode !== null) root.append(modes(chat));
    const button = root.querySelector("[data-testid='model-switcher-dropdown-button']") as HTMLElement;
    button.addEventListener("click", () => modelMenu(chat, button));
    const input = root.querySelector("input[type=file]:not([accept])") as HTMLInputElement;
    input.addEventListener("change", () => {
      chat.attach([...(input.files ?? [])]);
      input.value = "";
    });
    return {
      composer: root.querySelector("#prompt-textarea") as HTMLElement,
      send: root.querySelector("[data-testid='send-button']") as HTMLButtonElement,
      form: root.querySelector("form") as HTMLElement,
      thread: root.querySelector("[data-testid='thread']") as HTMLElement,
      chips: root.querySelector(".chips") as HTMLElement,
    };
  },
  user: (turn) =>
    make(
      `<article data-testid="conversation-turn-${turn.id}" data-turn-id="${turn.id}"><div data-message-author-role="user"><div style="white-space:pre-wrap">${escape(turn.text)}</div></div></article>`,
    ),
  assistant(turn, chat) {
    const { interim } = chat.start.scenario;
    const thinking = turn.state === "thinking" && interim === null;
    const preamble = turn.preamble === null ? "" : `<p>${escape(turn.preamble)}</p>`;
    const shown = turn.state === "thinking" ? (interim ?? "") : turn.text;
    const body = thinking ? "Thinking" : `${preamble}${render(shown, chat.start.scenario, { code })}`;
    const article = make(`<article data-testid="conversation-turn-${turn.id}" data-turn-id="${turn.id}">
      <div data-message-author-role="assistant" data-message-id="${turn.id}"${turn.model === null ? "" : ` data-message-model-slug="${turn.model}"`}><div class="markdown prose ${thinking ? "loading-shimmer" : ""}">${body}</div></div>
      </article>`);
    for (const unfold of article.querySelectorAll("[data-testid='code-unfold']"))
      unfold.addEventListener("click", () => {
        unfold.parentElement?.querySelector("code")?.removeAttribute("hidden");
        unfold.remove();
      });
    article.querySelector(".markdown")?.append(...madeParts(chat, turn));
    if (chat.barOf(turn)) {
      const bar = make(
        `<div>${chat.start.scenario.copy === "none" ? "" : '<button data-testid="copy-turn-action-button">c</button>'}<button data-testid="good-response-turn-action-button">+</button></div>`,
      );
      bar
        .querySelector("[data-testid='copy-turn-action-button']")
        ?.addEventListener("click", () => void chat.copy(turn));
      article.append(bar);
    }
    return article;
  },
  working(chat, on) {
    chat.parts.form
      .querySelector(".stop")
      ?.replaceChildren(
        ...(on ? [make('<button type="button" data-testid="stop-button" aria-label="Stop">stop</button>')] : []),
      );
  },
  chip: (name, busy) =>
    make(
      `<div data-testid="attachment-tile" role="group" class="group/file-tile" aria-label="${escape(name)}"${busy ? ' data-state="uploading"' : ""}>${escape(name)}</div>`,
    ),
  toast: (_, words) =>
    document.body.append(make(`<div role="alert" data-testid="upload-error">${escape(words)}</div>`)),
  error: (chat) =>
    chat.parts.form.before(
      make(
        '<div class="text-token-text-error">Something went wrong. <button data-testid="regenerate-thread-error-button">Regenerate</button></div>',
      ),
    ),
  dialog(_, kind) {
    const words = {
      announcement: "Meet our newest feature",
      throttle: "Too many requests. You are making requests too quickly.",
      strange: "Confirm your age",
    }[kind];
    const id = kind === "announcement" ? ' data-testid="product-announcement-modal"' : "";
    const box = make(
      `<div role="dialog"${id} style="position:fixed;inset:0;background:#fffd">${words}<button data-testid="close-button" aria-label="Close">x</button></div>`,
    );
    if (kind === "announcement") box.querySelector("button")?.addEventListener("click", () => box.remove());
    document.body.append(box);
  },
  address: (conversation) => `/c/${conversation}`,
};
