// Pictures, documents and archives that the user named: attached as they are, where the target takes them.
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { basename } from "node:path";
import { fail } from "../../../core/contract/index.ts";
import { type Attachment, homeOf, type RunRequest } from "../../../core/contract/transport/index.ts";
import { entryAt, targetAt } from "../../../platform/system/index.ts";
import { isBelow } from "./bundle.ts";

interface Kind {
  readonly is: "picture" | "PDF" | "office document" | "archive";
  readonly mediaType: string;
  /** The first bytes of such a file, in hexadecimal. */
  readonly begins: RegExp;
}

const office = (type: string): Kind => ({
  is: "office document",
  mediaType: `application/vnd.openxmlformats-officedocument.${type}`,
  begins: /^504b0304/,
});
const jpeg: Kind = { is: "picture", mediaType: "image/jpeg", begins: /^ffd8ff/ };
const kinds: Readonly<Record<string, Kind>> = {
  png: { is: "picture", mediaType: "image/png", begins: /^89504e470d0a1a0a/ },
  jpg: jpeg,
  jpeg,
  gif: { is: "picture", mediaType: "image/gif", begins: /^474946383[79]61/ },
  webp: { is: "picture", mediaType: "image/webp", begins: /^52494646.{8}57454250/ },
  pdf: { is: "PDF", mediaType: "application/pdf", begins: /^255044462d/ },
  docx: office("wordprocessingml.document"),
  xlsx: office("spreadsheetml.sheet"),
  pptx: office("presentationml.presentation"),
  zip: { is: "archive", mediaType: "application/zip", begins: /^504b0(?:304|506)/ },
};

const kindOf = (path: string) => kinds[/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ""];

/** Only a file that is named directly. One that a folder or a glob matches is left out like every binary file. */
export const isAttachable = (pattern: string) => !/^!|[*?[{]/.test(pattern) && kindOf(pattern) !== undefined;

const mostBytes = 20 << 20;

/** The kinds that the target of a request takes. */
function takes({ browser, api }: RunRequest): readonly Kind["is"][] {
  if (browser !== null)
    return browser.site === "copilot" ? ["picture"] : ["picture", "PDF", "office document", "archive"];
  const form = api === null || api.provider === "auto" ? "chat" : homeOf(api.provider).form;
  return form === "chat" || api?.provider === "openai-chat" ? ["picture"] : ["picture", "PDF"];
}

/** A person did not choose the name `auto`. */
const targetOf = ({ browser, api }: RunRequest): string => {
  if (browser !== null) return browser.site;
  return api === null || api.provider === "auto" ? `the API at ${api?.baseUrl ?? "that address"}` : api.provider;
};

/** Every target takes pictures; these pages take the other kinds too. */
const takesMore = "Leave it out, or ask the page of ChatGPT or Gemini, which takes it: --browser-url chatgpt.com";

const refuse = (path: string, why: string, remedy: string): never =>
  fail("invalid_input", `${path} cannot be sent: ${why}.`, { remedy });

/** Reads through one open descriptor, so that the file cannot be replaced meanwhile. */
function headOf(path: string): { bytes: number; head: string } {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return refuse(path, "it is not a regular file", "Name another file.");
    const head = Buffer.alloc(16);
    readSync(fd, head, 0, 16, 0);
    return { bytes: stats.size, head: head.toString("hex") };
  } finally {
    closeSync(fd);
  }
}

function attachmentOf(request: RunRequest, path: string): Attachment {
  const kind = kindOf(path);
  const seen = entryAt(path);
  if (kind === undefined || seen === undefined)
    return fail("not_found", `There is no file ${path}.`, { remedy: "Check the spelling." });
  if (!takes(request).includes(kind.is)) return refuse(path, `${targetOf(request)} takes no ${kind.is}`, takesMore);
  if (targetAt(path) === undefined) return refuse(path, "it is a link to nothing", "Name another file.");
  const real = realpathSync(path);
  const roots = [request.cwd, ...request.files.roots]
    .filter((root) => targetAt(root)?.isDirectory() === true)
    .map((root) => realpathSync(root));
  if (!roots.some((root) => isBelow(root, real)))
    return refuse(path, "it is outside of the folder", "Name its folder with --root.");
  const { bytes, head } = headOf(real);
  if (!kind.begins.test(head)) return refuse(path, `it is not ${kind.mediaType}`, "Name a file that is one.");
  if (bytes > mostBytes) return refuse(path, `it is over ${mostBytes >> 20} MB`, "Make it smaller.");
  return { name: basename(real), path: real, bytes, mediaType: kind.mediaType };
}

export function attachmentsOf(request: RunRequest): Attachment[] {
  const all = request.files.attachments.map((path) => attachmentOf(request, path));
  const twice = all.find(({ name }, at) => all.findIndex((one) => one.name === name) !== at);
  if (twice) return refuse(twice.path, "two files have that name", "Give one of them another name.");
  return all;
}
