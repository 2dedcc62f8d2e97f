// Starts the stand-in's page as the server described it.
import { Chat } from "./chat.ts";
import { chatgpt } from "./chatgpt.ts";
import { copilot } from "./copilot.ts";
import { gemini } from "./gemini.ts";
import type { PageStart } from "./shapes.ts";

const start = JSON.parse(document.getElementById("start")?.textContent ?? "{}") as PageStart;
const { scenario } = start;
const skin = { chatgpt, copilot, gemini }[start.site];

setTimeout(() => {
  const chat = new Chat(start, skin);
  if (scenario.composerGone) chat.parts.composer.remove();
  if (scenario.notice !== null) {
    const notice = document.createElement("div");
    notice.setAttribute("role", "alert");
    notice.textContent = scenario.notice;
    document.body.append(notice);
  }
  if (scenario.announcement) skin.dialog(chat, "announcement");
  if (scenario.strangeDialog) skin.dialog(chat, "strange");
  if (scenario.wall === "throttle") skin.dialog(chat, "throttle");
}, scenario.composerMs);
