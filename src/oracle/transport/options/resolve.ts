// Resolves flags, environment and config files to one request with every option decided.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fail } from "../../../core/contract/index.ts";
import type {
  EngineKind,
  Options,
  OracleProjectConfig,
  OracleUserConfig,
  ResolvedRequest,
  RunRequest,
} from "../../../core/contract/transport/index.ts";
import { optionsSchema } from "../../../core/contract/transport/schema/index.ts";
import { isAttachable } from "../files/attachments.ts";
import type { ApiFollowup } from "./followup.ts";
import { refuseOnlyLeftOut, splitList } from "../files/patterns.ts";
import { defaultApiModel, defaultBrowserModel } from "./models.ts";
import { modelName } from "./model-names.ts";
import { resolveBrowser } from "./page-url.ts";
import { keyFor, resolveApi } from "./resolve-api.ts";
import { durationMs } from "./time-span.ts";
import { refuseEmptyNames } from "./empty-names.ts";
import { checkGitOptions, resolveDiff } from "./resolve-diff.ts";

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

interface OptionSources {
  readonly flags: Options;
  readonly env: EnvironmentVariables;
  readonly user: OracleUserConfig;
  readonly project: OracleProjectConfig;
  readonly cwd: string;
  readonly prompt: string;
  readonly follows?: ApiFollowup | null;
  /** What the config files hold that is not used here. */
  readonly notes?: readonly string[];
}

/** Environment variables that set an option. An empty one counts as not set. */
const variables = {
  ORACLE_ENGINE: "engine",
  ORACLE_MODEL: "model",
  ORACLE_BROWSER_URL: "browserUrl",
  ORACLE_TIMEOUT: "timeout",
  ORACLE_BASE_URL: "baseUrl",
  ORACLE_REMOTE: "remote",
} as const;

function fromEnvironment(env: EnvironmentVariables): Options {
  const given = Object.entries(variables).flatMap(([name, option]) =>
    env[name] === undefined || env[name] === "" ? [] : [[option, env[name]] as const],
  );
  const parsed = optionsSchema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const option = String(parsed.error.issues[0]?.path[0]);
  const name = Object.entries(variables).find(([, value]) => value === option)?.[0] ?? option;
  return fail("invalid_input", `${name}=${env[name]}: ${parsed.error.issues[0]?.message ?? "not accepted"}.`, {
    remedy: `Correct or unset ${name}.`,
  });
}

/** Flags that only a page understands select the browser, also where a key would make the API the default. */
const needsPage = (flags: Options) =>
  flags.copilot === true ||
  flags.browserUrl !== undefined ||
  flags.domSnapshot !== undefined ||
  flags.research === true ||
  flags.remote !== undefined ||
  (flags.browserBundleFiles?.length ?? 0) > 0 ||
  flags.browserBundleFormat !== undefined;

/** Flags that only an API understands select the API, also without an OpenAI key. */
const needsApi = (flags: Options) => flags.baseUrl !== undefined || flags.provider !== undefined;

interface Choice {
  readonly engine: EngineKind;
  /** Undefined where the user chose it. */
  readonly why?: string;
}

/** T-1. */
function chooseEngine({ flags, env, user }: OptionSources, options: Options): Choice {
  if (flags.engine !== undefined) return { engine: flags.engine };
  if (needsPage(flags)) return { engine: "browser" };
  if (options.engine !== undefined) return { engine: options.engine };
  if (needsApi(flags)) return { engine: "api" };
  const { model = "" } = options;
  if (namedModel(user, model)) return { engine: "api", why: `${model} is a model of your own configuration` };
  const key = keyFor(modelName(model), env);
  if (key !== undefined) return { engine: "api", why: `${key} is set` };
  // A base URL or a gateway may serve any model with the key that is there.
  if (env["OPENAI_API_KEY"]) return { engine: "api", why: "OPENAI_API_KEY is set" };
  return { engine: "browser", why: "no key of an API is set" };
}

/** The user's own model of this name. */
const namedModel = ({ models }: OracleUserConfig, name: string | undefined) =>
  name !== undefined && models !== undefined && Object.hasOwn(models, name) ? models[name] : undefined;

/** A continued conversation keeps its API, unless the user names another model, provider or base URL. */
function apiOf(given: OptionSources, options: Options, projectModel: boolean): NonNullable<RunRequest["api"]> {
  const { flags, follows, env, user } = given;
  const elsewhere = flags.model !== undefined || flags.provider !== undefined || flags.baseUrl !== undefined;
  if (follows && !elsewhere) return follows.api;
  const name = options.model ?? defaultApiModel;
  const named = namedModel(user, name);
  return resolveApi({ options, env, model: named?.model ?? modelName(name), projectModel, named });
}

const defaultTimeout: Readonly<Record<EngineKind, number>> = { api: 3_600_000, browser: 1_200_000 };

/** Deep Research takes 5 to 30 minutes, at times more. */
const researchTimeout = 3_600_000;

export function resolveRequest(given: OptionSources): ResolvedRequest {
  const { flags, user, project, cwd } = given;
  const { mcpRoot: _root, mcpPush: _push, models: _models, ...defaults } = user;
  const merged: Options = { ...defaults, ...project, ...fromEnvironment(given.env), ...flags };
  refuseEmptyNames(merged);
  const options: Options = merged.model === undefined ? merged : { ...merged, model: merged.model.trim() };
  const warnings: string[] = [...(given.notes ?? [])];
  const { engine, why } = chooseEngine(given, options);
  const modelFromUser = flags.model ?? fromEnvironment(given.env).model;
  const continued = modelFromUser === undefined ? given.follows?.model : undefined;
  const name = continued ?? options.model ?? (engine === "api" ? defaultApiModel : defaultBrowserModel);
  const model = engine === "api" ? (namedModel(user, name)?.model ?? modelName(name)) : name;
  if (engine === "api" && flags.research === true)
    return fail("invalid_input", "--research is for ChatGPT's page; an API has no Deep Research of this kind.", {
      remedy: "Use --engine browser, or leave it out.",
    });
  const projectModel = modelFromUser === undefined && project.model !== undefined;
  const at = (path: string | undefined) => (path === undefined ? null : resolve(cwd, path));
  const split = (patterns: readonly string[]) =>
    patterns.flatMap((pattern) => (existsSync(resolve(cwd, pattern)) ? [pattern] : splitList(pattern)));
  const named = split([...(options.file ?? []), ...(options.browserBundleFiles ?? [])]);
  if (flags.file !== undefined) refuseOnlyLeftOut(named);
  const diff = resolveDiff(options, warnings);
  const usual = options.research === true ? researchTimeout : defaultTimeout[engine];
  const timeoutMs = options.timeout === undefined ? usual : durationMs(options.timeout, whereTimeout(given));
  if (timeoutMs < 1) return fail("invalid_input", "--timeout must be longer than 0.", { remedy: "--timeout 20m" });
  const request: RunRequest = {
    prompt: given.prompt,
    cwd,
    engine,
    model,
    ...(options.next === undefined ? {} : { next: nextOf(options.next) }),
    slug: flags.slug ?? null,
    followup: engine === "api" ? (given.follows?.id ?? null) : null,
    files: {
      patterns: named.filter((pattern) => !isAttachable(pattern)),
      roots: (flags.root ?? []).map((root) => resolve(cwd, root)),
      attachments: named.filter(isAttachable).map((path) => resolve(cwd, path)),
      format: resolveFormat(engine, options),
      lineNumbers: options.lineNumbers ?? false,
      keepBundle: options.keepBundle ?? false,
      maxFileBytes: options.maxFileSize ?? null,
      maxTotalBytes: options.maxTotalSize ?? null,
    },
    browser:
      engine === "browser"
        ? resolveBrowser(
            { ...options, search: flags.search },
            // A project does not choose where data goes.
            flags.browserUrl !== undefined || projectModel ? undefined : options.model,
          )
        : null,
    api: engine === "api" ? apiOf(given, options, projectModel) : null,
    diff,
    git: {
      applyMode: options.applyMode ?? "none",
      root: at(options.gitRoot),
      branch: options.branch ?? null,
      commitMessage: options.commitMessage ?? null,
      push: options.push ?? false,
      approvedPaths: options.approvePath ?? [],
    },
    secrets: {
      sanitize: options.sanitizePrompt ?? false,
      scan: options.secretScan ?? false,
      // Only a person who types it keeps a secret in the prompt; a file never does.
      ...(flags.sanitizePrompt === false ? { keep: true } : {}),
    },
    outputs: {
      diff: at(options.diffOutput),
      json: at(options.jsonOutput),
      metrics: at(options.metricsOutput),
      answer: at(options.writeOutput),
    },
    ...(options.force === true ? { force: true } : {}),
    ...(options.notify === true ? { notify: true } : {}),
    timeoutMs,
    heartbeatMs: options.heartbeat === undefined ? 30_000 : durationMs(options.heartbeat, "--heartbeat"),
  };
  checkGitOptions(request);
  if (request.prompt.trim() === "")
    return fail("invalid_input", "The prompt is empty.", {
      remedy: "Give it with --prompt, --prompt-file or on standard input.",
    });
  return { request, warnings, ...(why === undefined ? {} : { engineWhy: why }) };
}

/** Where the time that holds was written, for a refusal. */
const whereTimeout = ({ flags, env }: OptionSources): string =>
  flags.timeout === undefined && env["ORACLE_TIMEOUT"] ? "ORACLE_TIMEOUT" : "--timeout";

function nextOf(texts: readonly string[]): string[] {
  if (texts.every((text) => text.trim() !== "")) return [...texts];
  return fail("invalid_input", "A text of --next is empty.", { remedy: 'For example --next "Now write the tests."' });
}

/** Z-1: the format is for browser bundles; an API takes text only. */
function resolveFormat(engine: EngineKind, options: Options): "text" | "zip" {
  const format = options.browserBundleFormat ?? "text";
  if (format === "zip" && engine === "api")
    return fail("invalid_input", "--browser-bundle-format zip needs the browser engine.", {
      remedy: "Use --engine browser, or leave the format at text.",
    });
  return format;
}
