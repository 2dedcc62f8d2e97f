// The keychain of the operating system, through the system's own program: `secret-tool` (libsecret) or `security` (macOS).
// A value is handed over on standard input, so that no list of processes shows it.
import { spawn } from "node:child_process";
import process from "node:process";
import { fail } from "../../core/contract/index.ts";

export interface Keychain {
  /** As messages name it. */
  readonly name: string;
  /** The value of an entry; undefined when there is none. Fails when the keychain does not answer. */
  read(entry: string): Promise<string | undefined>;
  /** Stores a value and reads it back. */
  write(entry: string, value: string): Promise<void>;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Variables = Readonly<Record<string, string | undefined>>;
type Run = (args: readonly string[], input: string) => Promise<Ended>;

/** A person may have to unlock the keychain first. */
const patienceMs = 60_000;

const runner =
  (program: string, env: Variables): Run =>
  (args, input) =>
    new Promise((resolve) => {
      const child = spawn(program, args, { env, stdio: ["pipe", "pipe", "pipe"], timeout: patienceMs });
      const texts = { stdout: "", stderr: "" };
      child.stdout.on("data", (chunk: Buffer) => (texts.stdout += chunk.toString("utf8")));
      child.stderr.on("data", (chunk: Buffer) => (texts.stderr += chunk.toString("utf8")));
      child.on("error", (error) => resolve({ code: null, stdout: "", stderr: error.message }));
      child.on("close", (code) => resolve({ code, ...texts }));
      // A program that ends before it has read everything closes the pipe.
      child.stdin.on("error", (error) => (texts.stderr += error.message));
      child.stdin.end(input);
    });

const service = "thehood";

interface Program {
  readonly name: string;
  lookup(run: Run, entry: string): Promise<Ended>;
  /** Whether the answer to a lookup says that there is no such entry. */
  isMissing(ended: Ended): boolean;
  store(run: Run, entry: string, value: string): Promise<Ended>;
}

const libsecret: Program = {
  name: "libsecret",
  lookup: (run, entry) => run(["lookup", "service", service, "entry", entry], ""),
  // Every other trouble is written to standard error.
  isMissing: ({ code, stderr }) => code === 1 && stderr.trim() === "",
  store: (run, entry, value) => run(["store", `--label=TheHood ${entry}`, "service", service, "entry", entry], value),
};

const macos: Program = {
  name: "macOS Keychain",
  lookup: (run, entry) => run(["find-generic-password", "-s", service, "-a", entry, "-w"], ""),
  isMissing: ({ code }) => code === 44,
  // `-i` reads commands from standard input: as an argument every process could see the value.
  store: (run, entry, value) => run(["-i"], `add-generic-password -U -s ${service} -a "${entry}" -w "${value}"\n`),
};

const silent = (name: string, { stderr, code }: Ended): never =>
  fail("store_io", `The keychain (${name}) did not answer: ${stderr.trim().split("\n")[0] || `exit code ${code}`}`, {
    remedy: "Unlock it, or log in to the desktop that has it, and start again.",
  });

function keychainOf({ name, ...program }: Program, run: Run): Keychain {
  const read = async (entry: string): Promise<string | undefined> => {
    const ended = await program.lookup(run, entry);
    if (ended.code === 0) return ended.stdout.trim();
    return program.isMissing(ended) ? undefined : silent(name, ended);
  };
  return {
    name,
    read,
    async write(entry, value) {
      if (!/^[\w ./-]+$/.test(entry) || !/^[\w\n]+$/.test(value)) throw new TypeError("not a plain entry");
      const ended = await program.store(run, entry, value);
      if ((await read(entry)) !== value) silent(name, ended);
    },
  };
}

/** The keychain of this machine; undefined where its program is missing. `find` gives a program's absolute path. */
export function findKeychain(
  env: Variables,
  find: (name: string) => string | undefined,
  platform: NodeJS.Platform = process.platform,
): Keychain | undefined {
  const [name, kind] = platform === "darwin" ? (["security", macos] as const) : (["secret-tool", libsecret] as const);
  const program = platform === "win32" ? undefined : find(name);
  return program === undefined ? undefined : keychainOf(kind, runner(program, env));
}
