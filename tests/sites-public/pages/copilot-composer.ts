// Copilot's form: a plain text area, tokens of the files, buttons whose meaning is their icon, and menus for mode, model and effort.
import type { Chat } from "./chat.ts";
import { button, element, octicon } from "./element.ts";
import { onEnter } from "./editor.ts";
import { moduleClass } from "./module-class.ts";

const images = ["image/png", "image/jpeg", "image/gif", "image/webp"];

interface Choice {
  readonly names: readonly string[];
  current: string;
}

/** A button with a menu of radios. The menu is made when it opens. */
function menuButton(
  attributes: Record<string, string>,
  choice: Choice,
  shown: (name: string) => Node,
  takes: (name: string) => void,
): HTMLElement {
  const opener = button({ ...attributes, "aria-haspopup": "true", "aria-expanded": "false" }, () => open());
  const close = () => {
    document.querySelector("#open-menu")?.remove();
    opener.setAttribute("aria-expanded", "false");
  };
  const draw = () => opener.replaceChildren(shown(choice.current));
  const open = () => {
    close();
    const list = element("ul", {
      role: "menu",
      id: "open-menu",
      style: "position:fixed;left:20px;bottom:80px;background:#fff",
    });
    for (const name of choice.names) {
      const label = element("span", { class: "prc-ActionList-ItemLabel-TmBhn" }, element("span", {}, name));
      const item = element(
        "li",
        {
          role: "menuitemradio",
          tabindex: "0",
          class: "prc-ActionList-ActionListItem-uq6I7",
          "aria-checked": String(name === choice.current),
        },
        label,
      );
      item.addEventListener("click", () => {
        takes(name);
        close();
        draw();
      });
      list.append(item);
    }
    opener.setAttribute("aria-expanded", "true");
    document.body.append(list);
  };
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
  });
  draw();
  return opener;
}

function choices(chat: Chat, mode: Choice, changed: () => void): HTMLElement[] {
  const { scenario } = chat;
  const text = (name: string) => document.createTextNode(name);
  const modeButton =
    scenario.copilotMode === "none"
      ? null
      : menuButton({ class: moduleClass("ChatInput", "modeSelectButton") }, mode, text, (name) => {
          mode.current = name;
          changed();
        });
  const model: Choice = { names: scenario.models, current: scenario.model };
  const effort: Choice = { names: scenario.efforts, current: scenario.effort };
  const modelName = (name: string) => {
    const label = element("span", { class: moduleClass("ModelPicker", "buttonName") }, name);
    return element("span", {}, element("span", { class: "sr-only" }, "Model: "), label);
  };
  const pickers = [
    menuButton({ class: moduleClass("ModelPicker", "menuButton") }, model, modelName, (name) => {
      if (!scenario.modelReverts) model.current = name;
      chat.chosen = { model: model.current, effort: effort.current };
    }),
    menuButton({ class: moduleClass("ReasoningEffortPicker", "menuButton") }, effort, text, (name) => {
      effort.current = name;
      chat.chosen = { model: model.current, effort: effort.current };
    }),
  ];
  return modeButton === null ? pickers : [modeButton, ...pickers];
}

function tokens(chat: Chat): HTMLElement {
  const bar = element("div", { role: "toolbar", "aria-label": "Attachments" });
  bar.append(
    ...chat.attachments.map((one) =>
      element(
        "a",
        { class: moduleClass("ReferenceToken", "referenceToken"), "aria-busy": one.ready ? null : "true" },
        element("span", { class: moduleClass("ReferenceToken", "name") }, one.shown ?? ""),
        one.ready ? null : element("span", { role: "progressbar" }),
        button({ "aria-label": `Remove ${one.shown ?? "attachment"}` }, () => chat.detach(one.name), octicon("x")),
      ),
    ),
  );
  return bar;
}

function attachMenu(chat: Chat, mode: Choice): HTMLElement[] {
  const input = element("input", {
    id: "image-uploader",
    type: "file",
    multiple: true,
    hidden: true,
  }) as HTMLInputElement;
  input.addEventListener("change", () => {
    const files = [...(input.files ?? [])];
    input.value = "";
    if (mode.current === "Agent" && files.some(({ type }) => !images.includes(type))) {
      chat.notice = "This file type is not supported.";
      return chat.changed();
    }
    void chat.attach(files);
  });
  const choice: Choice = { names: ["Upload from computer", "Files and folders…"], current: "" };
  const opener = menuButton(
    { "data-testid": "attachment-menu-button", "aria-label": "Add attachment" },
    choice,
    () => octicon("paperclip"),
    (name) => {
      if (name.startsWith("Upload")) input.click();
    },
  );
  return [input, opener];
}

function repositoryButton(chat: Chat, mode: Choice): HTMLElement {
  const { repository } = chat.scenario;
  const label =
    mode.current === "Agent" && repository !== null
      ? `Repository: ${repository}`
      : "Select repositories to attach to conversation";
  return button({ "aria-label": label, "aria-haspopup": "dialog" }, null, octicon("repo"), repository ?? "");
}

export function mountComposer(chat: Chat, place: HTMLElement): void {
  const { scenario } = chat;
  const mode: Choice = { names: ["Ask", "Agent"], current: scenario.copilotMode === "Agent" ? "Agent" : "Ask" };
  document.body.dataset["mode"] = mode.current;
  const field = element("textarea", {
    id: "copilot-chat-textarea",
    placeholder: "Ask anything",
    "aria-label": "What would you like to do next?",
  }) as HTMLTextAreaElement;
  let known = "";
  const top = element("div", {});
  const right = element("div", { class: moduleClass("ChatInput", "toolbarRight") });
  const repository = element("span", {});
  const send = () => {
    if (!chat.press(known, mode.current === "Agent" ? "agent:" : "") || scenario.sendNeverShows) return;
    setTimeout(() => {
      [field.value, known] = ["", ""];
      draw();
    }, scenario.slowSendMs);
  };
  const draw = () => {
    top.replaceChildren(tokens(chat));
    repository.replaceChildren(repositoryButton(chat, mode));
    right.replaceChildren(sendOrStop(chat, known, send));
  };
  const changed = () => {
    document.body.dataset["mode"] = mode.current;
    draw();
  };
  field.addEventListener("input", () => {
    known = field.value;
    draw();
  });
  onEnter(field, send);
  const decoy = scenario.decoy
    ? [element("textarea", { name: "query", "aria-hidden": "true", style: "display:none" })]
    : [];
  const left = element(
    "div",
    { class: moduleClass("ChatInput", "toolbarLeft") },
    ...attachMenu(chat, mode),
    repository,
    ...choices(chat, mode, changed),
  );
  const form = element("form", {}, ...decoy, top, field, left, right);
  form.addEventListener("submit", (event) => event.preventDefault());
  place.append(form);
  chat.onChange(draw);
  draw();
}

function sendOrStop(chat: Chat, text: string, send: () => void): HTMLElement {
  if (chat.busy)
    return button(
      { "data-component": "IconButton", "data-loading": "false", "aria-labelledby": "tip-stop" },
      () => chat.stop(),
      octicon("square-fill"),
    );
  const made = button(
    { "data-component": "IconButton", "data-loading": String(chat.uploading), "aria-labelledby": "tip-send" },
    send,
    octicon("paper-airplane"),
  );
  if (text.trim() === "" || chat.uploading) made.setAttribute("disabled", "");
  return made;
}
