// Writes the words bubblewrap understands. The flags are those that were seen to hold for root too: without dropped
// capabilities and with user namespaces left open, a read-only root can be mounted writable again.
import { lstatSync } from "node:fs";
import type { Mount } from "./mounts.ts";

const words = (text: string) => text.split(" ");

export const confinement: readonly string[] = words(
  "--unshare-all --unshare-user --disable-userns --cap-drop ALL --die-with-parent --new-session",
);

/** With namespaces left possible. The mounts made here belong to the outer namespace, so inside an inner one the kernel
 * keeps each as it is: not writable again, not taken away. Root is shown as an ordinary user, who alone may map ids
 * without capabilities. */
export const nestable = (uid: number | undefined): readonly string[] => [
  ...confinement.filter((word) => word !== "--disable-userns"),
  ...(uid === 0 ? words("--uid 1000 --gid 1000") : []),
];

const scratchBytes = 2 * 1024 ** 3;
const smallBytes = 64 * 1024 ** 2;

const sized = (bytes: number, path: string) => ["--size", String(bytes), "--tmpfs", path];

function mountWords({ path, kind, from = path }: Mount): string[] {
  switch (kind) {
    case "scratch":
      return sized(scratchBytes, path);
    case "empty":
      return sized(smallBytes, path);
    case "hide":
      // /dev/null comes without device access here, so that opening it is refused.
      return lstatSync(path).isDirectory() ? sized(smallBytes, path) : ["--ro-bind", "/dev/null", path];
    case "read":
    case "shut":
      return ["--ro-bind", from, path];
    case "write":
      return ["--bind", from, path];
  }
}

interface SandboxWords {
  readonly mounts: readonly Mount[];
  readonly cwd: string;
  readonly network: boolean;
  readonly nested: boolean;
  readonly env: Readonly<Record<string, string>>;
}

/** Arguments for `--args`: they travel by a pipe, so no value of a variable shows in the process list. */
export function bubblewrapArgs({ mounts, cwd, network, nested, env }: SandboxWords): string[] {
  const blank = mounts.filter(
    ({ kind, path }) => kind === "empty" || (kind === "hide" && lstatSync(path).isDirectory()),
  );
  return [
    ...(nested ? nestable(process.getuid?.()) : confinement),
    ...(network ? ["--share-net"] : []),
    ...words("--ro-bind / / --dev /dev"),
    ...sized(smallBytes, "/dev/shm"),
    ...words("--proc /proc"),
    ...mounts.flatMap(mountWords),
    // Only now: the folders that carry deeper mounts had to be made inside them first.
    ...blank.flatMap(({ path }) => ["--remount-ro", path]),
    "--chdir",
    cwd,
    "--clearenv",
    ...Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value]),
  ];
}
