// A notification on the desktop, by the program that the desktop has for it.
import { spawn } from "node:child_process";

/** False where no such program is found. Texts are separate arguments, so they are not read as code. */
export function showOnDesktop(
  title: string,
  text: string,
  find: (name: string) => string | undefined,
  platform: NodeJS.Platform,
): boolean {
  const [program, ...args] =
    platform === "darwin"
      ? [
          "/usr/bin/osascript",
          "-e",
          "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run",
          title,
          text,
        ]
      : [find("notify-send"), "--app-name=thehood", "--", title, text];
  if (program === undefined) return false;
  const child = spawn(program, args.map(String), { stdio: "ignore", detached: true });
  child.once("error", () => undefined);
  child.unref();
  return true;
}
