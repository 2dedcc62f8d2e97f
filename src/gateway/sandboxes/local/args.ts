// The arguments of bubblewrap for a local sandbox: system folders to read, its own home, no network, no other process.
import { lstatSync, readlinkSync } from "node:fs";
import { confinement } from "../../../platform/sandbox/index.ts";
import { places } from "../../rules/index.ts";
import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { fail } from "../../../core/contract/index.ts";

export interface SandboxFolders {
  /** Becomes /home/user. */
  readonly home: string;
  /** Contains the sockets between the sandbox and the gateway. */
  readonly run: string;
  /** Further programs of the sandbox: name → path on this machine. */
  readonly programs: Readonly<Record<string, string>>;
}

const words = (text: string): string[] => text.split(" ");
const systemFolders = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
const settings = [
  "alternatives ca-certificates ca-certificates.conf ssl pki ld.so.cache ld.so.conf ld.so.conf.d",
  "localtime mime.types nsswitch.conf gitconfig bash.bashrc profile java-17-openjdk python3 php perl",
].flatMap(words);
const tmpBytes = 2 * 1024 ** 3;
const toolsFolder = "/run/thehood";

function system(path: string): string[] {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (!entry) return [];
  return entry.isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
}

/** For a confined process that sees the programs of the system and nothing else. */
export const systemMountArgs = (): string[] => [
  ...confinement,
  ...words("--ro-bind /usr /usr --ro-bind-try /opt /opt"),
  ...systemFolders.flatMap(system),
];

/** The variables by which programs find the proxy; loopback needs no proxy. */
export const proxyVariables = (url: string): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"].map((name) => [name, url])),
  NO_PROXY: "127.0.0.1,localhost,::1",
  no_proxy: "127.0.0.1,localhost,::1",
  NODE_USE_ENV_PROXY: "1",
});

export function sandboxArgs({ home, run, programs }: SandboxFolders, env: Readonly<Record<string, string>>): string[] {
  const variables: Record<string, string> = {
    PATH: `${toolsFolder}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
    HOME: places.home,
    USER: "user",
    SHELL: "/bin/sh",
    LANG: "C.UTF-8",
    TERM: "dumb",
    TMPDIR: "/tmp",
    ...env,
  };
  return [
    // The sandbox survives a restart of the gateway; it ends with its first process.
    ...systemMountArgs().filter((word) => word !== "--die-with-parent"),
    ...settings.flatMap((name) => ["--ro-bind-try", `/etc/${name}`, `/etc/${name}`]),
    ...words(`--dev /dev --proc /proc --size ${tmpBytes} --tmpfs /tmp --size ${tmpBytes} --tmpfs /dev/shm --dir /run`),
    "--bind",
    run,
    "/run/box",
    "--bind",
    home,
    places.home,
    ...words(`--tmpfs ${toolsFolder}`),
    ...Object.entries(programs).flatMap(([name, from]) => ["--ro-bind", from, `${toolsFolder}/${name}`]),
    ...words(`--remount-ro ${toolsFolder} --hostname box --chdir ${places.workspace} --clearenv`),
    ...Object.entries(variables).flatMap(([name, value]) => ["--setenv", name, value]),
  ];
}

const limitMs = 600_000;
const copyScript = 'set -e; cp -a --reflink=auto /from/. /to/; cd /to; [ $# -eq 0 ] || rm -rf -- "$@"';

/**
 * Copies the home of a running sandbox from inside a second sandbox: an agent that replaces a folder by a link during the
 * copy does not lead the copy to files of this machine.
 */
export async function copyConfined(
  bubblewrap: string,
  from: string,
  to: string,
  excluded: readonly string[],
): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  const mounts = ["--ro-bind", from, "/from", "--bind", to, "/to"];
  const argv = [
    ...systemMountArgs(),
    ...mounts,
    "--clearenv",
    "--setenv",
    "PATH",
    "/usr/bin:/bin",
    "--",
    "sh",
    "-c",
    copyScript,
    "sh",
    ...excluded,
  ];
  await new Promise<void>((resolve, reject) => {
    execFile(bubblewrap, argv, { timeout: limitMs, killSignal: "SIGKILL", env: {} }, (error, _, stderr) => {
      if (error) reject(new Error(stderr || error.message));
      else resolve();
    });
  }).catch((error: unknown) => fail("run_failed", `The workspace could not be copied: ${String(error).slice(0, 300)}`));
}
