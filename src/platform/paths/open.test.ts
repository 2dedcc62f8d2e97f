import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { FailureError } from "../../core/contract/index.ts";
import { tryPaths } from "../../../tests/support/try-paths.ts";
import { judgePath, openUnder, readUnder, writeUnder } from "./index.ts";
import { holding } from "./walk.ts";

let base = "";
let root = "";
beforeEach(() => {
  base = tempFolder("open-");
  root = join(base, "repo");
  mkdirSync(join(root, "src"), { recursive: true });
  mkdirSync(join(base, "outside"));
  writeFileSync(join(base, "outside", "secret.txt"), "outside");
  writeFileSync(join(root, "src", "a.txt"), "inside");
});

function refusal(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    if (error instanceof FailureError) return error.failure.details?.["reason"];
    return (error as NodeJS.ErrnoException).code;
  }
  return "opened";
}

const openDescriptors = () => readdirSync("/proc/self/fd").length;

describe("opening below a root", () => {
  it("reads, creates, writes and replaces plain files", () => {
    expect(readUnder(root, "src/a.txt").toString()).toBe("inside");
    writeUnder(root, "new/deep/b.txt", Buffer.from("b"), { parents: true, mode: 0o755 });
    expect(readFileSync(join(root, "new/deep/b.txt"), "utf8")).toBe("b");
    expect(statSync(join(root, "new/deep/b.txt")).mode & 0o777).toBe(0o755);
    writeUnder(root, "new/deep/b.txt", Buffer.from("c"));
    expect(statSync(join(root, "new/deep/b.txt")).mode & 0o777).toBe(0o755);
    expect(readdirSync(join(root, "new/deep"))).toEqual(["b.txt"]);
    expect(refusal(() => openUnder(root, "src/a.txt", "create"))).toBe("exists");
    expect(refusal(() => openUnder(root, "none/x", "create"))).toBe("not_found");
  });

  it("refuses folders, pipes and devices, and never waits for a pipe's other end", () => {
    execFileSync("mkfifo", [join(root, "pipe")]);
    expect(refusal(() => openUnder(root, "src", "read"))).toBe("not_regular");
    expect(refusal(() => openUnder(root, "pipe", "read"))).toBe("not_regular");
    expect(refusal(() => openUnder(root, "pipe", "write"))).toBe("not_regular");
    expect(judgePath(root, "pipe", "read").reason).toBe("not_regular");
  });

  it("a file larger than the limit is a failure, not a cut", () => {
    expect(() => readUnder(root, "src/a.txt", { maxBytes: 3 })).toThrow(/larger than 3/);
  });

  it.skipIf(process.platform !== "linux")("leaves no descriptor open, whatever happens", () => {
    symlinkSync("../outside", join(root, "out"));
    symlinkSync("src", join(root, "in"));
    const paths = ["src/a.txt", "in/a.txt", "out/secret.txt", "src/a.txt/x", "none", "../x", "in/../out/x", "src"];
    const before = openDescriptors();
    for (const path of paths)
      for (const mode of ["read", "create", "write"] as const) {
        refusal(() => openUnder(root, path, mode).close());
        judgePath(root, path, mode === "read" ? "read" : "write");
      }
    refusal(() => writeUnder(root, "out/x", Buffer.from("x"), { parents: true }));
    refusal(() => writeUnder(root, "y/x", Buffer.from("x"), { parents: true }));
    expect(openDescriptors()).toBe(before);
    expect(readdirSync(join(base, "outside"))).toEqual(["secret.txt"]);
  });
});

/** Swaps `repo/swap` between a real folder and a link to the outside as fast as it can, in a process of its own. */
const swapper = `
const fs = require("node:fs");
const [repo, outside] = process.argv.slice(1);
fs.mkdirSync(repo + "/real"); fs.writeFileSync(repo + "/real/secret.txt", "inside");
fs.symlinkSync(outside, repo + "/link");
process.stdout.write("ready\\n");
process.on("SIGTERM", () => process.exit(0));
function swap() {
  for (let i = 0; i < 200; i++) {
    fs.renameSync(repo + "/real", repo + "/swap"); fs.renameSync(repo + "/swap", repo + "/real");
    fs.renameSync(repo + "/link", repo + "/swap"); fs.renameSync(repo + "/swap", repo + "/link");
  }
  setImmediate(swap);
}
swap();
`;

describe("a link that is swapped while we open", () => {
  it.skipIf(process.platform !== "linux")("[S-8] never leads a read or a write out of the root", async () => {
    const child = spawn(process.execPath, ["-e", swapper, root, join(base, "outside")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    let opened = 0;
    let wrote = 0;
    try {
      for (let round = 0; round < 10_000; round++) {
        try {
          using file = openUnder(root, "swap/secret.txt", "read");
          opened++;
          expect(readlinkSync(`/proc/self/fd/${file.fd}`).startsWith(`${root}/`)).toBe(true);
        } catch (error) {
          if (!(error instanceof FailureError)) throw error;
        }
        if (round % 10 !== 0) continue;
        try {
          writeUnder(root, "swap/written.txt", Buffer.from("w"));
          wrote++;
        } catch (error) {
          if (!(error instanceof FailureError)) throw error;
        }
      }
    } finally {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await gone;
    }
    expect(existsSync(join(base, "outside", "written.txt"))).toBe(false);
    expect(readFileSync(join(base, "outside", "secret.txt"), "utf8")).toBe("outside");
    expect(opened + wrote).toBeGreaterThan(0);
  });
});

describe("paths made of anything", () => {
  it.each([true, false])(
    "[S-8] never open a file outside the root, through any mix of links, dots and names (by descriptor: %s)",
    (byDescriptor) => {
      const usual = holding.byDescriptor;
      holding.byDescriptor = byDescriptor && usual;
      try {
        expect(tryPaths(base, root, 2000)).toBeGreaterThan(10);
      } finally {
        holding.byDescriptor = usual;
      }
    },
  );
});
