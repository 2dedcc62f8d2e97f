// What a page made for an answer. Sources: steipete/oracle 0.21.2 of 2026-09-23 (ChatGPT: pictures of /backend-api/estuary, links
// to sandbox:/mnt/data, buttons of class behavior-btn that begin with "Download"), a public browser driver's notes of Gemini of
// 2026 (generated-image > single-image > img.image with a blob address, a button that downloads it).
import type { TurnState } from "../../sites/pages/shapes.ts";
import type { Chat } from "./chat.ts";
import { button, element } from "./element.ts";

async function download(name: string): Promise<void> {
  const reply = await fetch(`/standin/file?name=${encodeURIComponent(name)}`);
  const href = URL.createObjectURL(await reply.blob());
  element("a", { href, download: name }).click();
}

const address = (at: number) => `/backend-api/estuary/content?id=file_${at}`;

/** Every other file is a link to the sandbox, the others are buttons. */
export function madeByChatgpt(chat: Chat, turn: TurnState): HTMLElement[] {
  if (turn.state !== "done" || turn.role === "user") return [];
  const { pictures, files } = chat.scenario;
  const shown = Array.from({ length: pictures }, (_, at) =>
    element(
      "div",
      { class: "group/imagegen-image relative" },
      element("img", { src: address(at), alt: "Generated image", width: "20", height: "20" }),
      // The page lays a blurred copy of the same picture behind it.
      element("img", { src: address(at), alt: "", "aria-hidden": "true", width: "20", height: "20" }),
    ),
  );
  const offered = files.map((name, at) => {
    if (at % 2 === 1) return button({ class: "behavior-btn" }, () => void download(name), `Download ${name}`);
    const link = element("a", { href: `sandbox:/mnt/data/${encodeURIComponent(name)}`, class: "cursor-pointer" }, name);
    link.addEventListener("click", (event) => {
      event.preventDefault();
      void download(name);
    });
    return link;
  });
  return [...shown, ...offered];
}

const blobs = new Map<number, string>();

async function blobOf(at: number): Promise<string> {
  const reply = await fetch(address(at));
  const made = blobs.get(at) ?? URL.createObjectURL(await reply.blob());
  blobs.set(at, made);
  return made;
}

/** The page fetches a picture and shows it from a blob. */
export function madeByGemini(chat: Chat, turn: TurnState): HTMLElement[] {
  if (turn.state !== "done") return [];
  return Array.from({ length: chat.scenario.pictures }, (_, at) => {
    const image = element("img", { class: "image animate", alt: ", AI generated", width: "20", height: "20" });
    const show = (src: string) => {
      image.setAttribute("src", src);
      image.classList.add("loaded");
    };
    const known = blobs.get(at);
    if (known !== undefined) show(known);
    else void blobOf(at).then(show);
    const save = button({ "data-test-id": "download-generated-image-button", "aria-label": "Download" }, null);
    return element("generated-image", {}, element("single-image", {}, image), save);
  });
}
