// The elements of the Gemini stand-in: custom elements, an upload menu that opens a chooser, a footer that completes late.
import { type Chat, type Skin, madeParts, make } from "./chat.ts";
import { escape, render } from "./render.ts";

const code = (html: string, language: string, folded: boolean) =>
  `<code-block><div class="code-block-decoration">${language}</div>${
    folded ? '<button aria-expanded="false">Show code</button>' : ""
  }<pre${folded ? ' style="display:none"' : ""}><code class="language-${language}">${html}</code></pre></code-block>`;

function modelMenu(chat: Chat, button: HTMLElement): void {
  const { scenario } = chat.start;
  const menu = make("<div></div>");
  for (const name of scenario.models) {
    const item = make(`<button data-test-id="bard-mode-option-${name.toLowerCase()}">${name}</button>`);
    item.addEventListener("click", () => {
      menu.remove();
      chat.chooseModel(name, button);
    });
    menu.append(item);
  }
  document.body.append(menu);
}

function uploadMenu(chat: Chat): void {
  const item = make('<button data-test-id="local-images-files-uploader-button">Upload files</button>');
  item.addEventListener("click", () => {
    item.remove();
    const input = make('<input type="file" multiple>') as HTMLInputElement;
    input.addEventListener("change", () => chat.attach([...(input.files ?? [])]));
    input.click();
  });
  setTimeout(() => document.body.append(item), 80);
}

export const gemini: Skin = {
  layout(chat) {
    const { scenario } = chat.start;
    const root = document.getElementById("root") as HTMLElement;
    root.append(
      make(
        `<header><button data-test-id="bard-mode-menu-button">${scenario.model}</button><a href="https://accounts.google.com/SignOutOptions" aria-label="${scenario.language === "de" ? "Google-Konto" : "Google Account"}: me">me</a></header>`,
      ),
      make('<main class="thread"></main>'),
      make(`<input-area-v2><div class="chips"></div><rich-textarea><div class="ql-editor" contenteditable="true" role="textbox" aria-label="${scenario.language === "de" ? "Prompt hier eingeben" : "Enter a prompt here"}" style="white-space:pre-wrap;min-height:40px"></div></rich-textarea>
        <button aria-label="Open upload file menu">+</button><span class="stop"></span>
        <button class="send-button" aria-label="${scenario.language === "de" ? "Nachricht senden" : "Send message"}">send</button></input-area-v2>`),
    );
    const button = root.querySelector("[data-test-id='bard-mode-menu-button']") as HTMLElement;
    button.addEventListener("click", () => modelMenu(chat, button));
    root.querySelector("[aria-label='Open upload file menu']")?.addEventListener("click", () => uploadMenu(chat));
    return {
      composer: root.querySelector(".ql-editor") as HTMLElement,
      send: root.querySelector(".send-button") as HTMLButtonElement,
      form: root.querySelector("input-area-v2") as HTMLElement,
      thread: root.querySelector(".thread") as HTMLElement,
      chips: root.querySelector(".chips") as HTMLElement,
    };
  },
  user: (turn) =>
    make(
      `<user-query data-turn-id="${turn.id}"><div class="query-text" style="white-space:pre-wrap">${escape(turn.text)}</div></user-query>`,
    ),
  assistant(turn, chat) {
    const preamble = turn.preamble === null ? "" : `<p>${escape(turn.preamble)}</p>`;
    const body =
      turn.state === "thinking"
        ? "I'm on it. Check back later."
        : `${preamble}${render(turn.text, chat.start.scenario, { code })}`;
    const box =
      make(`<model-response data-turn-id="${turn.id}"><message-content><div class="markdown">${body}</div></message-content>
      <div class="response-footer">&nbsp;</div></model-response>`);
    for (const unfold of box.querySelectorAll("button[aria-expanded='false']"))
      unfold.addEventListener("click", () => {
        unfold.parentElement?.querySelector("pre")?.removeAttribute("style");
        unfold.remove();
      });
    box.querySelector("message-content")?.append(...madeParts(chat, turn));
    if (chat.barOf(turn)) {
      box.querySelector(".response-footer")?.classList.add("complete");
      if (chat.start.scenario.copy !== "none") {
        const copy = make('<button data-test-id="copy-button">copy</button>');
        copy.addEventListener("click", () => void chat.copy(turn));
        box.querySelector(".response-footer")?.append(copy);
      }
    }
    return box;
  },
  working(chat, on) {
    chat.parts.form
      .querySelector(".stop")
      ?.replaceChildren(
        ...(on ? [make('<button class="send-button stop" aria-label="Stop response">stop</button>')] : []),
      );
  },
  chip: (name, busy) =>
    make(
      `<uploader-file-preview title="${escape(name)}">${escape(name) || "&nbsp;"}${busy ? '<span role="progressbar">…</span>' : ""}</uploader-file-preview>`,
    ),
  toast: (_, words) => document.body.append(make(`<div data-test-id="upload-error">${escape(words)}</div>`)),
  error: (chat) => chat.parts.form.before(make('<div role="alert">Something went wrong</div>')),
  dialog(_, kind) {
    const words = {
      announcement: "Gemini has news",
      throttle: "Too many requests",
      strange: "Verify your age",
    }[kind];
    const id = kind === "announcement" ? ' data-test-id="announcement-dialog"' : "";
    const box = make(
      `<div role="dialog"${id} style="position:fixed;inset:0;background:#fffd">${words}<button>x</button></div>`,
    );
    if (kind === "announcement") box.querySelector("button")?.addEventListener("click", () => box.remove());
    document.body.append(box);
  },
  address: (conversation) => `/app/${conversation}`,
};
