// Opens the page of the site that was asked for.
import { Chat, type Start } from "./chat.ts";
import { mountChatgpt } from "./chatgpt.ts";
import { mountCopilot } from "./copilot.ts";
import { mountGemini } from "./gemini.ts";

const start = JSON.parse(document.querySelector("#start")?.textContent ?? "{}") as Start;
const style = document.createElement("style");
style.textContent =
  ".sr-only,.cdk-visually-hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}";
document.head.append(style);
const chat = new Chat(start);
const mount = { chatgpt: mountChatgpt, copilot: mountCopilot, gemini: mountGemini }[start.site];
mount(chat, start);
