// The clipboard, through the program that this machine has for it.
import { fail } from "../../core/contract/index.ts";

type Variables = Readonly<Record<string, string | undefined>>;

const programs: readonly (readonly [string, ...string[]])[] = [
  ["pbcopy"],
  ["wl-copy"],
  ["xclip", "-selection", "clipboard"],
  ["xsel", "--clipboard", "--input"],
  ["clip.exe"],
];

/** The absolute path of a program; undefined when none may be started. */
type Find = (name: string) => string | undefined;

/** Answers the name of the program that took the text. */
export async function copyText(text: string, env: Variables, find: Find): Promise<string> {
  const found = programs.find(([program]) => find(program) !== undefined);
  const address = found && find(found[0]);
  if (!found || address === undefined)
    return fail("not_found", "There is no program here that reaches the clipboard.", {
      remedy: "Install wl-clipboard or xclip, or print the text instead: --render",
    });
  const [name, ...args] = found;
  const { spawn } = await import("node:child_process");
  const code = await new Promise<number | null>((resolve) => {
    const child = spawn(address, args, { env, stdio: ["pipe", "ignore", "ignore"] });
    child.on("error", () => resolve(null));
    child.on("exit", resolve);
    child.stdin.on("error", () => undefined);
    child.stdin.end(text);
  });
  if (code === 0) return name;
  return fail("store_io", `${name} could not reach the clipboard.`, {
    remedy: "Is there a desktop here? --render prints the text instead.",
  });
}
