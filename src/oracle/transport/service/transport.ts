// The transport: every function that a surface can call.
import { resolve } from "node:path";
import { fail, type DoctorCheck } from "../../../core/contract/index.ts";
import type {
  Options,
  OracleProjectConfig,
  OracleUserConfig,
  Transport,
} from "../../../core/contract/transport/index.ts";
import type { SpawnRunner } from "../background/start.ts";
import { modelLines } from "../doctor/models.ts";
import { withFollowup } from "../options/followup.ts";
import { refuseSecrets } from "../options/secrets-in-options.ts";
import { resolveRequest, type EnvironmentVariables } from "../options/resolve.ts";
import type { OracleRunDeps } from "../ports.ts";
import { sessionFolder, slugPattern } from "../sessions/folder.ts";
import { mustLoad } from "../sessions/record.ts";
import { Exchange } from "../shared-sessions/exchange.ts";
import { applyAnswer, pack, savedAnswer } from "./local.ts";
import { namedText } from "./named-text.ts";
import { preview, render } from "./preview.ts";
import { runHandedOver, runHere, startDetached } from "./run.ts";
import { sessionsOf } from "./sessions.ts";

const remedy = "Give it with --prompt, --prompt-file or on standard input.";

async function readPrompt(options: Options, cwd: string, stdin: () => Promise<string | null>): Promise<string> {
  const { prompt, promptFile } = options;
  if (prompt !== undefined && promptFile !== undefined)
    return fail("invalid_input", "--prompt and --prompt-file were both given.", {
      remedy: "Give one of them.",
    });
  if (prompt !== undefined && prompt !== "-") return prompt;
  if (promptFile !== undefined && promptFile !== "-")
    return await namedText(resolve(cwd, promptFile), `--prompt-file ${promptFile}`, remedy);
  return (await stdin()) ?? fail("invalid_input", "There is no prompt.", { remedy });
}

interface TransportDeps extends OracleRunDeps {
  readonly cwd: string;
  readonly env: EnvironmentVariables;
  /** Read when a request is resolved: sessions can be listed also with a broken config. */
  configs(): { readonly user: OracleUserConfig; readonly project: OracleProjectConfig };
  readonly spawn: SpawnRunner;
  doctor(): Promise<DoctorCheck[]>;
  /** The sites, each with whether the user is logged in with oracle's browser. */
  pages(): Promise<readonly { readonly site: string; readonly loggedIn: boolean }[]>;
}

/** Each model as a run would resolve it, so that a wrong base URL or key is reported here too. */
function models(deps: TransportDeps, name: string | null, check: boolean, signal: AbortSignal) {
  const configs = deps.configs();
  return modelLines(
    {
      env: deps.env,
      own: Object.keys(configs.user.models ?? {}),
      resolve: async (model) =>
        resolveRequest({
          flags: { engine: "api", model },
          env: deps.env,
          ...configs,
          cwd: deps.cwd,
          prompt: "(nothing is sent)",
        }).request,
      engine: () => deps.engine("api"),
      pages: () => deps.pages(),
      signal,
    },
    name,
    check,
  );
}

export function createTransport(given: TransportDeps): Transport {
  const { home, shelf } = given;
  const exchange = shelf && new Exchange(home, shelf);
  const deps = { ...given, exchange };
  return {
    async resolve(options, stdin) {
      refuseSecrets(options, deps.redact);
      const configs = deps.configs();
      const prompt = await readPrompt(options, deps.cwd, stdin);
      if (options.followup !== undefined) await exchange?.fetch(options.followup);
      const followed = withFollowup(options, (id) => mustLoad(sessionFolder(home, id)));
      return resolveRequest({ ...followed, env: deps.env, ...configs, cwd: deps.cwd, prompt });
    },
    preview: (resolved) => preview(deps, resolved),
    render: (resolved) => render(deps, resolved),
    runHere: (resolved, watch) => runHere(deps, resolved, watch),
    start: (resolved) => startDetached(deps, resolved, deps.spawn),
    runHandedOver: (sessionId, payload, ready, signal) => runHandedOver(deps, { sessionId, payload, ready, signal }),
    ...sessionsOf(deps),
    doctor: () => deps.doctor(),
    models: (name, check, signal) => models(deps, name, check, signal),
    pack: (resolved, output) =>
      resolved.request.files.patterns.length === 0
        ? fail("invalid_input", "There are no files to bundle.", { remedy: "Name them with --file." })
        : pack(deps, resolved, output),
    savedAnswer: async (from) => {
      if (slugPattern.test(from)) await exchange?.fetch(from);
      return savedAnswer(deps, deps.cwd, from);
    },
    applyAnswer: (answer, resolved, watch) => applyAnswer(deps, answer, resolved, watch),
  };
}
