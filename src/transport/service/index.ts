// Everything that a surface can ask of the transport.
import { type AbortSignalLike, fail } from "../../contract/index.ts";
import type {
  Transport,
  DoctorLine,
  OracleProjectConfig,
  OracleUserConfig,
} from "../../contract/transport/index.ts";
import type { SpawnRunner } from "../detached/handover.ts";
import { modelLines } from "../doctor/models.ts";
import { withFollowup } from "../options/followup.ts";
import { type EnvironmentVariables, resolveRequest } from "../options/resolve.ts";
import type { RunWorld } from "../ports/index.ts";
import { sessionFolder } from "../sessions/folder.ts";
import { mustLoad } from "../sessions/record.ts";
import { slugPattern } from "../sessions/slug.ts";
import { Exchange } from "../shared/exchange.ts";
import { applyAnswer, pack, savedAnswer } from "./local.ts";
import { preview, render } from "./preview.ts";
import { readPrompt } from "./prompt.ts";
import { runHandedOver, runHere, startDetached } from "./run.ts";
import { sessionsOf } from "./sessions.ts";

export interface TransportWorld extends RunWorld {
  readonly cwd: string;
  readonly env: EnvironmentVariables;
  /** Read when a request is resolved, so that a mistake in them does not hide sessions. */
  configs(): { readonly user: OracleUserConfig; readonly project: OracleProjectConfig };
  readonly spawn: SpawnRunner;
  doctor(): Promise<DoctorLine[]>;
  /** Where somebody has logged in with our browser. */
  pages(): Promise<readonly { readonly site: string; readonly loggedIn: boolean }[]>;
}

/** Each model as a run would take it: an address or a key that makes no sense is told here too. */
function models(world: TransportWorld, name: string | null, check: boolean, signal: AbortSignalLike) {
  const configs = world.configs();
  return modelLines(
    {
      env: world.env,
      own: Object.keys(configs.user.models ?? {}),
      resolve: async (model) =>
        resolveRequest({
          flags: { engine: "api", model },
          env: world.env,
          ...configs,
          cwd: world.cwd,
          prompt: "(nothing is sent)",
        }).request,
      engine: () => world.engine("api"),
      pages: () => world.pages(),
      signal,
    },
    name,
    check,
  );
}

export function createTransport(given: TransportWorld): Transport {
  const { home, shelf } = given;
  const exchange = shelf && new Exchange(home, shelf);
  const world = { ...given, exchange };
  return {
    async resolve(options, stdin) {
      const configs = world.configs();
      const prompt = await readPrompt(options, world.cwd, stdin);
      if (options.followup !== undefined) await exchange?.fetch(options.followup);
      const followed = withFollowup(options, (id) => mustLoad(sessionFolder(home, id)));
      return resolveRequest({ ...followed, env: world.env, ...configs, cwd: world.cwd, prompt });
    },
    preview: (resolved, exact) => preview(world, resolved, exact),
    render: (resolved) => render(world, resolved),
    runHere: (resolved, watch) => runHere(world, resolved, watch),
    start: (resolved) => startDetached(world, resolved, world.spawn),
    runHandedOver: (sessionId, payload, ready, signal) =>
      runHandedOver(world, { sessionId, payload, ready, signal }),
    ...sessionsOf(world),
    doctor: () => world.doctor(),
    models: (name, check, signal) => models(world, name, check, signal),
    pack: (resolved, output) =>
      resolved.request.files.patterns.length === 0
        ? fail("invalid_input", "There are no files to bundle.", { remedy: "Name them with --file." })
        : pack(world, resolved, output),
    savedAnswer: async (from) => {
      if (slugPattern.test(from)) await exchange?.fetch(from);
      return savedAnswer(world, world.cwd, from);
    },
    applyAnswer: (answer, resolved, watch) => applyAnswer(world, answer, resolved, watch),
  };
}
