// The composer of ChatGPT: an editor beside a hidden text area of the same id, three inputs for files, the pill of the models.
import type { Attachment, Chat } from "./chat.ts";
import { mountPicker } from "./chatgpt-picker.ts";
import { mountTools } from "./chatgpt-tools.ts";
import { makeEditor, onEnter } from "./editor.ts";
import { button, element } from "./element.ts";

/** Pasted text of more than this many characters becomes a file (release notes of 2026-08-04). */
const pasteLimit = 10_000;

const japanese = {
  label: "ChatGPT とチャットする",
  send: "プロンプトを送信する",
  stop: "ストリーミングの停止",
  add: "ファイルなどを追加する",
  remove: "ファイルを削除",
};
const english = {
  label: "Chat with ChatGPT",
  send: "Send prompt",
  stop: "Stop streaming",
  add: "Add files and more",
  remove: "Remove file",
};

function tile(one: Attachment, index: number, remove: string, press: () => void): HTMLElement {
  const shown = one.shown ?? "";
  return element(
    "div",
    { role: "group", "aria-label": shown === "" ? null : shown, class: "group/file-tile text-token-text-primary" },
    button({ "aria-label": shown === "" ? null : shown }, null),
    element("div", {}, element("div", { class: "truncate font-semibold" }, shown)),
    one.ready ? null : element("div", { role: "progressbar", "data-state": "uploading" }),
    button({ "aria-label": `${remove} ${index + 1}: ${shown}` }, press),
  );
}

function fileInputs(chat: Chat): HTMLElement[] {
  const takes = (input: HTMLElement) => {
    input.addEventListener("change", () => {
      const files = [...((input as HTMLInputElement).files ?? [])];
      (input as HTMLInputElement).value = "";
      void chat.attach(files);
    });
    input.style.display = "none";
    return input;
  };
  return [
    takes(element("input", { id: "upload-files", type: "file", multiple: true })),
    takes(
      element("input", { id: "upload-photos", "data-testid": "upload-photos-input", type: "file", accept: "image/*" }),
    ),
    takes(element("input", { id: "upload-camera", type: "file", accept: "image/*", capture: "environment" })),
  ];
}

const decoy = () =>
  element("textarea", {
    id: "prompt-textarea",
    name: "prompt-textarea",
    style: "display:none",
    placeholder: "Ask anything",
  });

export function mountComposer(chat: Chat, place: HTMLElement, inWork: () => boolean): void {
  const words = chat.scenario.language === "ja" ? japanese : english;
  const form = element("form", { "data-type": "unified-composer", "data-expanded": "" });
  const tiles = element("div", {});
  const trailing = element("div", { "data-testid": "composer-trailing-actions" });
  const field = element("div", {
    id: "prompt-textarea",
    class: "ProseMirror",
    contenteditable: "true",
    role: "textbox",
    translate: "no",
    "aria-label": words.label,
    "data-virtualkeyboard": "true",
  });
  const draw = () => {
    tiles.replaceChildren(
      ...chat.attachments.map((one, index) => tile(one, index, words.remove, () => chat.detach(one.name))),
    );
    trailing.replaceChildren(sendOrStop(chat, editor.text(), words, send));
  };
  const editor = makeEditor(field, draw);
  const send = () => {
    if (!chat.press(editor.text(), inWork() ? "work:" : "")) return;
    if (chat.scenario.sendNeverShows) return;
    setTimeout(() => editor.clear(), chat.scenario.slowSendMs);
  };
  onEnter(field, send);
  pastes(field, chat);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.append(...(chat.scenario.decoy ? [decoy()] : []), ...fileInputs(chat), tiles, field);
  form.append(
    mountTools(chat, words, field),
    mountPicker(chat),
    button({ "aria-label": "Dictate button" }, null),
    trailing,
  );
  place.append(form);
  chat.onChange(draw);
  draw();
}

/** Without a text there is a voice button where the send button will be; while an answer is written, the stop button. */
function sendOrStop(chat: Chat, text: string, words: typeof english, send: () => void): HTMLElement {
  if (chat.busy)
    return button({ id: "composer-submit-button", "data-testid": "stop-button", "aria-label": words.stop }, () =>
      chat.stop(),
    );
  if (text.trim() === "" && chat.attachments.length === 0)
    return button({ "data-testid": "composer-speech-button", "aria-label": "Start Voice" }, null);
  const made = button({ id: "composer-submit-button", "data-testid": "send-button", "aria-label": words.send }, send);
  if (text.trim() === "" || chat.uploading) made.setAttribute("disabled", "");
  return made;
}

function pastes(field: HTMLElement, chat: Chat): void {
  field.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text.length <= pasteLimit) return;
    event.preventDefault();
    void chat.attach([new File([text], "Pasted text.txt", { type: "text/plain" })]);
  });
}
