// Real file systems for tests: one that loses everything that was not synced, and small ones. They need root and mount.
import { spawn, spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { tempFolder } from "../support/temp-folder.ts";

const sh = (line: string) => spawnSync("bash", ["-c", line], { encoding: "utf8" });

function must(line: string): void {
  const { status, stderr } = sh(line);
  if (status !== 0) throw new Error(`${line}: ${stderr}`);
}

const isRoot = process.getuid?.() === 0;
const tried = tempFolder("disk-");
export const canMount = isRoot && sh(`mount -t tmpfs tmpfs ${tried} && umount ${tried}`).status === 0;
export const canLoop =
  canMount &&
  sh(
    `command -v python3 mkfs.ext4 && truncate -s 8M ${tried}/i && mkfs.ext4 -q -F ${tried}/i && mkdir ${tried}/m && mount -o loop ${tried}/i ${tried}/m && umount ${tried}/m`,
  ).status === 0;

/** A file system in memory over a folder, of this size. */
export function smallDisk(folder: string, size: string): Disposable {
  mkdirSync(folder, { recursive: true });
  must(`mount -t tmpfs -o size=${size} tmpfs '${folder}'`);
  return { [Symbol.dispose]: () => must(`umount -l '${folder}'`) };
}

/** Writes a file `fill` until the disk takes no more. */
export function fill(folder: string): void {
  const file = openSync(join(folder, "fill"), "w");
  try {
    for (;;) writeSync(file, Buffer.alloc(4_096));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    closeSync(file);
  }
}

export interface MortalDisk extends Disposable {
  /** Its folder, as programs inside see it. */
  readonly folder: string;
  /** The same folder, as this process sees it. */
  readonly seen: string;
  /** Words that start a program inside: another program of this machine that saw the mount would keep the dead disk alive. */
  readonly inside: readonly string[];
  /** The power goes off: nothing that was not synced is written any more. `dead` ends the processes that use the disk. Then it is mounted again. */
  cut(dead?: () => Promise<void>): Promise<void>;
}

const shutdown =
  "import fcntl,os,struct,sys;fcntl.ioctl(os.open(sys.argv[1],os.O_RDONLY),0x8004587D,struct.pack('I',2))";

/** ext4 in a file. EXT4_IOC_SHUTDOWN with "nothing is flushed" is what a power loss leaves of it. */
export async function mortalDisk(): Promise<MortalDisk> {
  const top = tempFolder("power-");
  const [image, folder] = [join(top, "image"), join(top, "disk")];
  const holder = spawn("unshare", ["-m", "--propagation", "private", "bash", "-c", "echo; exec sleep 3600"]);
  await new Promise((ready) => holder.stdout.once("data", ready));
  const inside = ["nsenter", "-m", "-t", String(holder.pid), "--"];
  const there = (line: string) => must(`${inside.join(" ")} bash -c "${line}"`);
  must(`mkdir '${folder}' && truncate -s 300M '${image}' && mkfs.ext4 -q -F '${image}'`);
  there(`mount -o loop '${image}' '${folder}'`);
  return {
    folder,
    seen: `/proc/${holder.pid}/root${folder}`,
    inside,
    async cut(dead) {
      must(`${inside.join(" ")} python3 -c "${shutdown}" '${folder}'`);
      await dead?.();
      there(`for n in {1..200}; do umount '${folder}' && break; sleep 0.1; done; ! mountpoint -q '${folder}'`);
      there(`mount -o loop '${image}' '${folder}'`);
    },
    [Symbol.dispose]: () => {
      there(`umount -l '${folder}'`);
      holder.kill("SIGKILL");
    },
  };
}
