// One notice by every way that the user has set. A way that fails is reported and delays no other.
import { spawn } from "node:child_process";
import type { Notice, NoticeSettings, SentNotice } from "../../core/contract/index.ts";
import { showOnDesktop } from "./desktop.ts";
import { type Posted, postAgain } from "./post.ts";

export interface NoticeDeps {
  /** The path of a program of the user's, or undefined if there is none that may be started. */
  find(name: string): string | undefined;
  /** Writes to the terminal of this process; undefined where there is none. */
  readonly bell: (() => void) | undefined;
  readonly platform: NodeJS.Platform;
  readonly signal: AbortSignal;
}

const waits = [1_000, 5_000];
const commandMs = 20_000;

export async function sendNotice(
  notice: Notice,
  settings: NoticeSettings,
  deps: NoticeDeps,
): Promise<readonly SentNotice[]> {
  const { desktop, bell, webhook, push, command } = settings;
  const { find, platform, signal } = deps;
  const sending: Promise<SentNotice>[] = [];
  const atOnce = (row: SentNotice) => void sending.push(Promise.resolve(row));
  if (desktop) {
    const shown = showOnDesktop(notice.title, notice.text, find, platform);
    atOnce({ by: "desktop", sent: shown, problem: shown ? null : "this machine has no program for it" });
  }
  if (bell) {
    deps.bell?.();
    atOnce({ by: "bell", sent: deps.bell !== undefined, problem: deps.bell ? null : "there is no terminal here" });
  }
  const json = JSON.stringify(notice);
  if (webhook !== undefined)
    sending.push(posted("webhook", postAgain(webhook, json, { "content-type": "application/json" }, waits, signal)));
  if (push !== undefined)
    sending.push(posted("push", postAgain(push, pushText(notice), pushHeaders(notice), waits, signal)));
  if (command !== undefined) sending.push(run(command, json, deps));
  return Promise.all(sending);
}

async function posted(by: "webhook" | "push", answer: Promise<Posted>): Promise<SentNotice> {
  const { problem } = await answer;
  return { by, sent: problem === null, problem };
}

const pushText = ({ text, next }: Notice) => `${text}\n${next}`;

/** Headers hold ASCII only: other characters are sent as the services of this kind read them, by RFC 2047. */
const headerText = (text: string) =>
  /^[\x20-\x7e]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text, "utf8").toString("base64")}?=`;

const pushHeaders = ({ title, link }: Notice) => ({
  "content-type": "text/plain; charset=utf-8",
  title: headerText(title),
  ...(link === null ? {} : { click: link }),
});

/** Without a shell. It gets the notice on its standard input, and is ended after a while. */
function run(
  [name = "", ...args]: readonly string[],
  input: string,
  { find, signal }: NoticeDeps,
): Promise<SentNotice> {
  const program = name.includes("/") ? name : find(name);
  const failed = (problem: string): SentNotice => ({ by: "command", sent: false, problem });
  if (program === undefined) return Promise.resolve(failed(`${name} was not found`));
  return new Promise((resolve) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(commandMs)]);
    const child = spawn(program, args, { stdio: ["pipe", "ignore", "ignore"], signal: limit, killSignal: "SIGKILL" });
    child.once("error", (error) => resolve(failed(error.message)));
    child.once("close", (code) =>
      resolve(code === 0 ? { by: "command", sent: true, problem: null } : failed(`${name} ended with ${code}`)),
    );
    // A program that does not read its input is no failure.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}
