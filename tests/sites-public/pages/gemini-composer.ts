// Gemini's input: Quill with its hidden clipboard, previews, the upload menu, the mode menu, and a button that is there for a text only.
import type { Attachment, Chat } from "./chat.ts";
import { makeEditor, onEnter } from "./editor.ts";
import { button, element, matIcon } from "./element.ts";
import { mountModes } from "./gemini-modes.ts";

const english = {
  prompt: "Enter a prompt for Gemini",
  send: "Send message",
  stop: "Stop response",
  tools: "Upload & tools",
  upload: "Upload files. Documents, data, code files",
  close: "close attachment",
};
const japanese: typeof english = {
  prompt: "Gemini へのプロンプトを入力",
  send: "プロンプトを送信",
  stop: "回答を停止",
  tools: "アップロードとツール",
  upload: "ファイルをアップロード",
  close: "添付ファイルを閉じる",
};

function preview(one: Attachment, words: typeof english, press: () => void): HTMLElement {
  const shown = one.shown ?? "";
  const dot = shown.lastIndexOf(".");
  const [stem, end] = dot > 0 ? [shown.slice(0, dot), shown.slice(dot + 1)] : [shown, ""];
  const text = element("div", { class: "gem-attachment-text" }, stem);
  const label = element("div", { class: "gem-attachment-extension-label" }, end.toUpperCase());
  const card = element("gem-attachment", {}, text, label);
  const busy = one.ready ? null : element("mat-progress-spinner", { role: "progressbar", mode: "indeterminate" });
  return element(
    "uploader-file-preview",
    { class: "file-preview-chip" },
    card,
    busy,
    button({ "aria-label": words.close }, press, matIcon("close")),
  );
}

/** The menu makes its input for files when it opens. */
function uploadMenu(chat: Chat, words: typeof english): HTMLElement {
  const input = element("input", {
    type: "file",
    name: "Filedata",
    multiple: true,
    class: "hidden-file-input",
  }) as HTMLInputElement;
  input.style.display = "none";
  input.addEventListener("change", () => {
    const files = [...(input.files ?? [])];
    input.value = "";
    void chat.attach(files);
  });
  const pane = element("div", { class: "cdk-overlay-pane", hidden: true });
  pane.style.cssText = "position:fixed;left:10px;bottom:120px;background:#fff;border:1px solid";
  document.body.append(pane);
  const opener = button(
    { "aria-label": words.tools, "aria-haspopup": "menu", "aria-expanded": "false" },
    () => show(pane.hidden !== false),
    matIcon("plus"),
  );
  const item = button(
    { role: "menuitem", "data-test-id": "local-images-files-uploader-button", "aria-label": words.upload },
    () => {
      input.click();
      show(false);
    },
    matIcon("attach_file"),
    words.upload,
  );
  const show = (open: boolean) => {
    pane.hidden = !open;
    opener.setAttribute("aria-expanded", String(open));
    if (open && pane.childNodes.length === 0)
      pane.append(element("mat-card", { role: "menu" }, element("images-files-uploader", {}, item, input)));
  };
  return element("uploader", {}, opener);
}

const decoy = () =>
  element("div", {
    class: "ql-clipboard",
    contenteditable: "true",
    tabindex: "-1",
    style: "position:absolute;left:-9999px",
  });

export function mountComposer(chat: Chat, place: HTMLElement): void {
  const words = chat.scenario.language === "ja" ? japanese : english;
  const previews = element("div", { class: "attachment-preview-wrapper" });
  const sendPlace = element("div", { "data-test-id": "send-button-container", class: "send-button-container" });
  const field = element("div", {
    class: "ql-editor textarea",
    contenteditable: "true",
    role: "textbox",
    "aria-multiline": "true",
    "aria-label": words.prompt,
  });
  const send = () => {
    if (!chat.press(editor.text()) || chat.scenario.sendNeverShows) return;
    setTimeout(() => editor.clear(), chat.scenario.slowSendMs);
  };
  const draw = () => {
    field.classList.toggle("ql-blank", editor.text() === "");
    previews.replaceChildren(...chat.attachments.map((one) => preview(one, words, () => chat.detach(one.name))));
    sendPlace.replaceChildren(...sendOrStop(chat, editor.text(), words, send));
  };
  const editor = makeEditor(field, () => draw());
  onEnter(field, send);
  const rich = element("rich-textarea", { enterkeyhint: "send" }, ...(chat.scenario.decoy ? [decoy()] : []), field);
  const trailing = element("div", { class: "trailing-actions-wrapper" }, mountModes(chat), sendPlace);
  place.append(
    element(
      "input-area-v2",
      {},
      previews,
      element("div", { class: "text-input-field" }, rich, uploadMenu(chat, words), trailing),
    ),
  );
  chat.onChange(draw);
  draw();
}

function sendOrStop(chat: Chat, text: string, words: typeof english, send: () => void): HTMLElement[] {
  if (chat.busy)
    return [button({ class: "send-button stop", "aria-label": words.stop }, () => chat.stop(), matIcon("stop"))];
  if (text.trim() === "") return [button({ "aria-label": "Microphone" }, null, matIcon("mic"))];
  const made = button(
    { class: "send-button submit", "aria-label": words.send, "aria-disabled": String(chat.uploading) },
    send,
    matIcon("arrow_upward"),
  );
  return [made];
}
