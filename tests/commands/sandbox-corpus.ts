// Runs every line of the command corpus for real, inside the sandbox, in a world full of canaries.
import { plainGit } from "../support/repository.ts";
import { createServer } from "node:net";
import { join } from "node:path";
import { readRows } from "../support/commands/load.ts";
import { canary, fingerprint, makeScene, say } from "../support/sandbox-scene.ts";
import { createCommandRunner } from "../../src/platform/sandbox/index.ts";

export interface Finding {
  readonly id: string;
  readonly cmd: string;
  readonly what: string;
}

interface Row {
  readonly id: string;
  readonly cmd: string;
}

export const corpusRows = readRows<Row>(join(import.meta.dirname, "../corpus/commands.jsonl"));

/** The worst lines aim at the whole machine; they get a canary of their own to aim at. */
const standIn = (cmd: string, outside: string) =>
  cmd
    .replaceAll(/\/dev\/sd[a-z]\d?/g, `${outside}/disk`)
    .replaceAll(/\brm -(\w+) \/(?=$|['"\s;)])/g, `rm -$1 ${outside}`)
    .replaceAll(/\bkill -9 1\b/g, "kill -9 $PPID")
    .replaceAll(/-C \/(?=$|\s)/g, `-C ${outside}`);

export async function runCorpus(rows: readonly Row[]): Promise<Finding[]> {
  const found: Finding[] = [];
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as { port: number };
  try {
    for (const { id, cmd } of rows) {
      const scene = makeScene();
      try {
        plainGit(scene.project, "init", "-q");
        const state = () => [fingerprint(scene.root, [scene.project]), fingerprint(join(scene.project, ".git"))].join();
        const before = state();
        const runner = createCommandRunner({
          home: scene.home,
          environment: {
            PATH: "/usr/local/bin:/usr/bin:/bin",
            GITHUB_TOKEN: canary,
            AWS_SECRET_ACCESS_KEY: canary,
          },
          sandbox: "required",
          limits: { processes: 100 },
        });
        const line = standIn(cmd, scene.outside).replaceAll("example.invalid", `127.0.0.1:${port}`);
        const outcome = await say(runner, scene, line, {
          timeoutMs: 2000,
          maxOutputBytes: 2_000_000,
          stdin: "",
        });
        if (`${outcome.stdout}${outcome.stderr}`.includes(canary)) found.push({ id, cmd, what: "read a canary" });
        if (state() !== before) found.push({ id, cmd, what: "wrote outside or into the git folder" });
      } finally {
        scene.remove();
      }
    }
  } finally {
    server.close();
  }
  if (connections > 0) found.push({ id: "", cmd: "", what: `${connections} connections` });
  return found;
}
