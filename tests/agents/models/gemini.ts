// Gemini's generateContent as Gemini CLI speaks it: one POST a turn, answered as a stream of events.
import { type Action, answerFor } from "./play.ts";
import type { Turn, Wire } from "./server.ts";

interface PartOf {
  readonly text?: string;
  readonly functionCall?: object;
  readonly functionResponse?: object;
}
interface Body {
  readonly contents?: readonly { readonly role?: string; readonly parts?: readonly PartOf[] }[];
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name?: string }[] }[];
}

const partsOf = ({ contents = [] }: Body): readonly PartOf[] =>
  contents.filter(({ role }) => role === "user").flatMap(({ parts }) => parts ?? []);

const under = (cwd: string | undefined, path: string) => (path.startsWith("/") ? path : `${cwd ?? ""}/${path}`);

function callOf(action: Action, cwd: string | undefined): { name: string; args: object } {
  switch (action.do) {
    case "shell":
      return { name: "run_shell_command", args: { command: action.line, description: "scripted" } };
    case "write":
      return { name: "write_file", args: { file_path: under(cwd, action.path), content: action.text } };
    case "replace":
      return {
        name: "replace",
        args: {
          file_path: under(cwd, action.path),
          instruction: "as scripted",
          old_string: action.from,
          new_string: action.to,
        },
      };
    case "tool":
      return { name: action.name, args: action.input };
  }
}

/** Questions beside the work, such as which model to take, come without tools. */
function partOf({ part, asked, directive }: Turn): PartOf {
  if (asked.tools.length === 0) return { text: "{}" };
  const action = part.actions?.[asked.turn];
  if (action) return { functionCall: callOf(action, asked.cwd) };
  return { text: directive ? answerFor(directive, part) : "no directive" };
}

export const usage = { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 };

const path = (url: string | undefined) => (url ?? "").split("?")[0] ?? "";

export const generate: Wire = {
  name: "generateContent",
  isQuestion: ({ method, url }) => method === "POST" && /:(streamG|g)enerateContent$/.test(path(url)),
  other({ url }, response) {
    const counting = path(url).endsWith(":countTokens");
    response.writeHead(counting ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(counting ? { totalTokens: 10 } : { error: { code: 404, message: "no" } }));
  },
  read(raw) {
    const body = raw as Body;
    const parts = partsOf(body);
    return {
      texts: parts.flatMap(({ text }) => (text ? [text] : [])),
      turn: parts.filter(({ functionResponse }) => functionResponse).length,
      tools: (body.tools ?? []).flatMap(({ functionDeclarations }) =>
        (functionDeclarations ?? []).map(({ name }) => name ?? ""),
      ),
      cwd: JSON.stringify(raw).match(/Workspace Directories:\*\*\\n {2}- ([^\s"\\]+)/)?.[1],
    };
  },
  reply(response, turn) {
    const chunk = (parts: readonly PartOf[], finishReason?: string) => ({
      candidates: [{ index: 0, content: { role: "model", parts }, ...(finishReason ? { finishReason } : {}) }],
      usageMetadata: usage,
      modelVersion: "scripted",
    });
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (data: object) => response.write(`data: ${JSON.stringify(data)}\r\n\r\n`);
    if (turn.onlyBeginning) return void send(chunk([{ text: '{"status":' }]));
    const part = partOf(turn);
    const pieces = part.text?.match(/[\s\S]{1,4000}/g) ?? [];
    for (const text of pieces.slice(0, -1)) send(chunk([{ text }]));
    send(chunk([pieces.length > 0 ? { text: pieces.at(-1) ?? "" } : part], "STOP"));
    return void response.end();
  },
};
