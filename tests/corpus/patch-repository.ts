// Test only: a throw-away repository from the corpus fixture, and a tree reader over it.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { EntryKind, TreeReader } from "../../src/core/patch/index.ts";
import { prepareRepository } from "../support/prepared-repository.ts";
import { removeFolder } from "../support/remove-folder.ts";

export interface Setup {
  readonly op: "write" | "symlink" | "mkdir";
  readonly path: string;
  readonly content?: string;
  readonly target?: string;
  readonly untracked?: boolean;
  readonly mode?: number;
}

const env = {
  PATH: process.env["PATH"] ?? "",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
};
const hardened = [
  "--no-pager",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "apply.whitespace=nowarn",
];
const identity = [
  "-c",
  "user.name=test",
  "-c",
  "user.email=test@example.invalid",
  "-c",
  "commit.gpgsign=false",
  "-c",
  "maintenance.auto=false",
];

export interface Ran {
  readonly status: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export class Repository {
  readonly outer: string;
  readonly dir: string;

  constructor(files: Readonly<Record<string, string>>, setup: readonly Setup[] = []) {
    this.outer = mkdtempSync(join(tmpdir(), "patch-corpus-"));
    this.dir = join(this.outer, "repo");
    mkdirSync(this.dir);
    const committed = setup.filter(({ untracked }) => !untracked);
    for (const [path, content] of Object.entries(files)) this.write(path, content);
    for (const step of committed) this.step(step);
    prepareRepository(this.dir, JSON.stringify(["corpus", files, committed]), () => {
      this.run(["init", "-q"]);
      this.run(["add", "-A"]);
      this.run([...identity, "commit", "-q", "-m", "base"]);
    });
    for (const step of setup) if (step.untracked) this.step(step);
  }

  write(path: string, content: string | Uint8Array, mode = 0o644): void {
    const full = join(this.dir, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
    chmodSync(full, mode);
  }

  step(step: Setup): void {
    const full = join(this.dir, step.path);
    if (step.op === "mkdir") mkdirSync(full, { recursive: true });
    else if (step.op === "symlink") {
      mkdirSync(dirname(full), { recursive: true });
      symlinkSync(step.target ?? "", full);
    } else this.write(step.path, step.content ?? "", step.mode);
  }

  run(args: readonly string[], input?: Uint8Array): Ran {
    try {
      const stdout = execFileSync("git", [...hardened, ...args], {
        cwd: this.dir,
        env,
        stdio: ["pipe", "pipe", "pipe"],
        maxBuffer: 1 << 28,
        ...(input ? { input } : {}),
      });
      return { status: 0, stdout, stderr: "" };
    } catch (error) {
      const failed = error as { status: number | null; stdout: Buffer; stderr: Buffer };
      return { status: failed.status ?? -1, stdout: failed.stdout, stderr: String(failed.stderr) };
    }
  }

  read(path: string): { bytes: Buffer; kind: EntryKind } | undefined {
    const full = join(this.dir, path);
    try {
      const stat = lstatSync(full);
      if (stat.isSymbolicLink()) return { bytes: readlinkSync(full, { encoding: "buffer" }), kind: "symlink" };
      if (stat.isDirectory()) return { bytes: Buffer.alloc(0), kind: "directory" };
      return { bytes: readFileSync(full), kind: stat.mode & 0o100 ? "executable" : "file" };
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG") return undefined;
      throw error;
    }
  }

  tree(): TreeReader {
    const list = (args: string[]) => this.run(args).stdout.toString("utf8").split("\0").filter(Boolean);
    const status = list(["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--ignored"]);
    const dirty = new Set(status.map((row) => row.slice(3)));
    return {
      kind: (path) => {
        const parts = path.split("/");
        for (let at = 1; at < parts.length; at++) {
          if (this.read(parts.slice(0, at).join("/"))?.kind === "symlink") return undefined;
        }
        return this.read(path)?.kind;
      },
      content: (path) => this.read(path)?.bytes,
      dirty: (path) => dirty.has(path),
      paths: () => list(["ls-files", "-co", "--exclude-standard", "-z"]),
    };
  }

  remove(): void {
    removeFolder(this.outer);
  }
}
