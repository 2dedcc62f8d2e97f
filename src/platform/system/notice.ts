// A notice on the user's desktop, through the program that this machine has for it.
type Variables = Readonly<Record<string, string | undefined>>;

/** The texts are arguments of their own: no shell and no script reads them. */
const programs: readonly (readonly [string, (title: string, text: string) => readonly string[]])[] = [
  ["notify-send", (title, text) => ["--app-name=oracle", "--", title, text]],
  [
    "osascript",
    (title, text) => [
      "-e",
      "on run argv",
      "-e",
      "display notification (item 2 of argv) with title (item 1 of argv)",
      "-e",
      "end run",
      "--",
      title,
      text,
    ],
  ],
];

interface Notice {
  readonly title: string;
  readonly text: string;
}

/** Undefined when it was shown, else why not. A desktop that does not answer is left after some seconds. */
export async function showNotice(
  { title, text }: Notice,
  env: Variables,
  find: (name: string) => string | undefined,
): Promise<string | undefined> {
  const found = programs.find(([program]) => find(program) !== undefined);
  const address = found && find(found[0]);
  if (!found || address === undefined) return "there is no notify-send or osascript here";
  const { spawn } = await import("node:child_process");
  const code = await new Promise<number | null>((resolve) => {
    const child = spawn(address, found[1](title, text), { env, stdio: "ignore", timeout: 5_000 });
    child.on("error", () => resolve(null));
    child.on("exit", resolve);
  });
  return code === 0 ? undefined : `${found[0]} did not show it`;
}
