// Sandboxes as Docker containers, through the `docker` program. A snapshot is a committed image under its label.
import { fail } from "../../core/contract/index.ts";
import { agentPort, places } from "../rules/index.ts";
import { withoutSecrets } from "./set-aside.ts";
import { filesOver, beginHistory } from "./exec-files.ts";
import type { Sandbox, SandboxProvider, ExecOptions, SandboxSpec } from "./port.ts";
import { execProgram } from "./program.ts";

export interface DockerOptions {
  /** The `docker` program. */
  readonly program: string;
  /** An image with git, a shell, coreutils and OpenCode; its user owns /home/user. */
  readonly image: string;
  /** The gateway's address inside a container. */
  readonly gatewayUrl: string;
}

const nameOf = ({ sessionId, generation }: Pick<SandboxSpec, "sessionId" | "generation">): string =>
  `thehood-${sessionId}.${generation}`;

export function dockerSandboxes({ program, image, gatewayUrl }: DockerOptions): SandboxProvider {
  const docker = (argv: readonly string[], options?: ExecOptions) => execProgram(program, argv, options);
  const must = async (argv: readonly string[], options?: ExecOptions): Promise<string> => {
    const { code, stdout, stderr } = await docker(argv, options);
    if (code !== 0) fail("provider_unavailable", `docker ${argv[0]} failed: ${stderr.trim().slice(0, 500)}`);
    return stdout.toString("utf8").trim();
  };
  const imageOf = (label: string) => `thehood-snapshot:${label}`;
  const sandboxOf = async (id: string): Promise<Sandbox> => {
    const exec: Sandbox["exec"] = (argv, options = {}) => {
      const env = Object.entries(options.env ?? {}).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
      return docker(["exec", "-i", "-w", options.cwd ?? places.workspace, ...env, id, ...argv], options);
    };
    const [host = "", port = ""] = (await must(["port", id, String(agentPort)])).split("\n")[0]?.split(":") ?? [];
    const io = { exec, ...filesOver(exec) };
    return {
      id,
      ...io,
      reach: () => ({ host, port: Number(port) }),
      snapshot: (label, scrub) =>
        withoutSecrets(io, scrub, async () => {
          await must(["commit", "--pause", id, imageOf(label)], { timeoutMs: 600_000 });
          return { scrubbed: 0 };
        }),
      alive: async () =>
        (await docker(["inspect", "-f", "{{.State.Running}}", id])).stdout.toString("utf8").trim() === "true",
      stop: async () => void (await docker(["rm", "-f", id])),
    };
  };
  return {
    id: "docker",
    gatewayUrl,
    runsAgents: true,
    idFor: nameOf,
    async create({ sessionId, generation, from, own, source, env }) {
      const id = nameOf({ sessionId, generation });
      await docker(["rm", "-f", id]);
      // Values go through a pipe, so they are not in the process list.
      const variables = Object.entries(env)
        .map(([name, value]) => `${name}=${value}\n`)
        .join("");
      const options = [
        "--env-file",
        "/dev/stdin",
        "-p",
        `127.0.0.1::${agentPort}`,
        "--add-host",
        "host.docker.internal:host-gateway",
      ];
      const chosen = from === null ? image : imageOf(from);
      await must(["run", "-d", "--name", id, "--init", ...options, chosen, "sleep", "infinity"], {
        input: Buffer.from(variables),
        timeoutMs: 600_000,
      });
      await must(["exec", "-w", "/", id, "mkdir", "-p", places.workspace]);
      if (from === null && source !== null)
        await must(["cp", `${source}/.`, `${id}:${places.workspace}`], { timeoutMs: 600_000 });
      const sandbox = await sandboxOf(id);
      await beginHistory(sandbox, own);
      return sandbox;
    },
    attach: async (id) => {
      const { stdout } = await docker(["inspect", "-f", "{{.State.Running}}", id]);
      return stdout.toString("utf8").trim() === "true" ? sandboxOf(id) : undefined;
    },
    end: async (id) => void (await docker(["rm", "-f", id])),
    async hasSnapshot(label) {
      const { code, stderr } = await docker(["image", "inspect", imageOf(label)]);
      if (code === 0) return "yes";
      // The daemon may still commit for a client that died: only its own message that there is no image counts.
      return /no such image/i.test(stderr) ? "no" : "unknown";
    },
    removeSnapshot: async (label) => void (await docker(["image", "rm", "-f", imageOf(label)])),
  };
}
