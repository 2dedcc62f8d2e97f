// A message with pictures and documents, in the shape of each API.
import { readFileSync } from "node:fs";
import { type ApiHome, type Attachment, type EngineMessage } from "../../core/contract/transport/index.ts";

type Part = Readonly<Record<string, unknown>>;

/** A turn as it is sent: a text, or parts in the shape of the API. */
export interface SentTurn {
  readonly role: "user" | "assistant";
  readonly content: string | readonly Part[];
}

interface Loaded {
  readonly name: string;
  readonly mediaType: string;
  readonly picture: boolean;
  readonly base64: string;
}

const load = ({ name, path, mediaType }: Attachment): Loaded => ({
  name,
  mediaType,
  picture: mediaType.startsWith("image/"),
  base64: readFileSync(path).toString("base64"),
});

const dataUrl = ({ mediaType, base64 }: Loaded) => `data:${mediaType};base64,${base64}`;

/** The parts of each form; which kinds a form takes was settled before. */
const forms: Readonly<Record<ApiHome["form"], { text(text: string): Part; file(file: Loaded): Part }>> = {
  responses: {
    text: (text) => ({ type: "input_text", text }),
    file: (file) =>
      file.picture
        ? { type: "input_image", image_url: dataUrl(file) }
        : { type: "input_file", filename: file.name, file_data: dataUrl(file) },
  },
  chat: {
    text: (text) => ({ type: "text", text }),
    file: (file) => ({ type: "image_url", image_url: { url: dataUrl(file) } }),
  },
  anthropic: {
    text: (text) => ({ type: "text", text }),
    file: ({ picture, mediaType, base64 }) => ({
      type: picture ? "image" : "document",
      source: { type: "base64", media_type: mediaType, data: base64 },
    }),
  },
};

export function messageContent(form: ApiHome["form"], { prompt, attachments }: EngineMessage): SentTurn["content"] {
  if (attachments.length === 0) return prompt;
  const { text, file } = forms[form];
  return [...attachments.map((one) => file(load(one))), text(prompt)];
}
