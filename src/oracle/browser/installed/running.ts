// The debugging doors of browsers that run on this machine. A browser writes port and path into its profile when its user
// turned on remote debugging, by an argument or by the toggle at chrome://inspect/#remote-debugging.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { systemCode } from "../../../platform/system/index.ts";
import { valueOf, type Variables } from "./installed.ts";

export interface DebuggingDoor {
  readonly port: number;
  /** The path of its WebSocket; null where only the port is known, which then is asked for it. */
  readonly path: string | null;
}

const profilesOnLinux = [
  "google-chrome",
  "google-chrome-beta",
  "google-chrome-unstable",
  "chromium",
  "microsoft-edge",
  "BraveSoftware/Brave-Browser",
];
const profilesOnMac = [
  "Google/Chrome",
  "Google/Chrome Beta",
  "Chromium",
  "Microsoft Edge",
  "BraveSoftware/Brave-Browser",
];
const profilesOnWindows = ["Google/Chrome", "Google/Chrome Beta", "Chromium", "Microsoft/Edge"];

/** The profiles in which browsers of this user keep that file. */
function profileFolders(env: Variables): string[] {
  const home = valueOf(env, "HOME") ?? valueOf(env, "USERPROFILE") ?? "";
  if (process.platform === "win32")
    return profilesOnWindows.map((name) => join(valueOf(env, "LOCALAPPDATA") ?? home, name, "User Data"));
  if (process.platform === "darwin")
    return profilesOnMac.map((name) => join(home, "Library", "Application Support", name));
  const config = valueOf(env, "XDG_CONFIG_HOME") ?? join(home, ".config");
  return [...profilesOnLinux.map((name) => join(config, name)), join(home, "snap/chromium/common/chromium")];
}

function doorIn(folder: string): (DebuggingDoor & { readonly at: number }) | undefined {
  const file = join(folder, "DevToolsActivePort");
  try {
    const [port = "", path = ""] = readFileSync(file, "utf8").split("\n");
    if (!/^\d{1,5}$/.test(port) || !/^\/devtools\/browser\/[\w-]+$/.test(path)) return undefined;
    return { port: Number(port), path, at: statSync(file).mtimeMs };
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EACCES"].includes(systemCode(error) ?? "")) return undefined;
    throw error;
  }
}

/** Newest first. A file may be left over from a browser that ended. */
export const debuggingDoors = (env: Variables): DebuggingDoor[] =>
  profileFolders(env)
    .flatMap((folder) => doorIn(folder) ?? [])
    .sort((left, right) => right.at - left.at)
    .map(({ port, path }) => ({ port, path }));
