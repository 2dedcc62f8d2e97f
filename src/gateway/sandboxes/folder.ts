// A sandbox that is only a folder, without programs and agent: for `gateway dev` and for tests of everything around a sandbox.
import {
  readdirSync,
  readFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fail } from "../../core/contract/index.ts";
import { places } from "../rules/index.ts";
import { olderThanSession, tooMuch } from "./exec-files.ts";
import type { Sandbox, SandboxProvider, SandboxEvidence } from "./port.ts";
import { folderSnapshots, type FolderSnapshots, copyFolder } from "./snapshots.ts";

const noPrograms = (): never =>
  fail("provider_unavailable", "This sandbox is only a folder: it runs no programs.", {
    remedy: "Start the gateway with the provider local.",
  });

export function folderSandboxes(root: string): SandboxProvider {
  const snapshots = folderSnapshots(join(root, "snapshots"));
  const homeOf = (id: string) => join(root, "boxes", id);
  return {
    id: "folder",
    gatewayUrl: "http://127.0.0.1:8700",
    runsAgents: false,
    idFor: ({ sessionId, generation }) => `${sessionId}.${generation}`,
    async create({ sessionId, generation, from, source }) {
      const id = `${sessionId}.${generation}`;
      const home = homeOf(id);
      mkdirSync(join(home, "workspace"), { recursive: true, mode: 0o700 });
      if (from !== null) await copyFolder(snapshots.path(from), home, () => false);
      else if (source !== null) await copyFolder(source, join(home, "workspace"), () => false);
      return folderSandbox(id, home, snapshots);
    },
    attach: async (id) => (existsSync(homeOf(id)) ? folderSandbox(id, homeOf(id), snapshots) : undefined),
    end: async (id) => rmSync(homeOf(id), { recursive: true, force: true }),
    hasSnapshot: (label) => snapshots.has(label),
    removeSnapshot: (label) => snapshots.remove(label),
    clean: () => snapshots.clean(),
  };
}

function folderSandbox(id: string, home: string, snapshots: FolderSnapshots): Sandbox {
  const local = (path: string): string =>
    path.startsWith(`${places.home}/`) ? join(home, path.slice(places.home.length)) : join(home, ".outside", path);
  return {
    id,
    exec: async () => noPrograms(),
    reach: noPrograms,
    async write(files) {
      for (const { path, text, mode = 0o644 } of files) {
        mkdirSync(dirname(local(path)), { recursive: true });
        writeFileSync(local(path), text, { mode });
      }
    },
    async clear(paths) {
      for (const path of paths) rmSync(local(path), { recursive: true, force: true });
    },
    collect: async (folder, limits) => {
      const marker = limits.newerThan === undefined ? undefined : local(limits.newerThan);
      const since = marker === undefined ? 0 : (lstatSync(marker, { throwIfNoEntry: false })?.ctimeMs ?? 0);
      return collectHere(join(home, "workspace"), folder, limits, since);
    },
    snapshot: (label, { files, values }) =>
      snapshots.take(label, home, { files: files.map((path) => relative(home, local(path))), values }),
    alive: async () => existsSync(home),
    stop: async () => rmSync(home, { recursive: true, force: true }),
  };
}

function collectHere(
  workspace: string,
  folder: string,
  limits: Parameters<Sandbox["collect"]>[1],
  since: number,
): SandboxEvidence {
  const root = join(workspace, folder);
  if (!existsSync(root)) return { files: [], left: [] };
  const found = realpathSync(root);
  const inside = found === realpathSync(workspace) || found.startsWith(realpathSync(workspace) + sep);
  if (!inside) return { files: [], left: [{ path: folder, why: "it leads out of the workspace" }] };
  const files: { path: string; bytes: Buffer }[] = [];
  const left: { path: string; why: string }[] = [];
  let total = 0;
  const entries = readdirSync(found, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const path of entries.map((entry) => join(entry.parentPath, entry.name)).sort()) {
    const { size, ctimeMs } = lstatSync(path);
    const why = ctimeMs < since ? olderThanSession : tooMuch(limits, files.length, size, total);
    if (why === undefined) files.push({ path: relative(found, path), bytes: readFileSync(path) });
    else left.push({ path: relative(found, path), why });
    total += why === undefined ? size : 0;
  }
  return { files, left };
}
