// The configuration and the approval policy of a user.
import { configKeys, fail, approvalModes, nearest } from "../../core/contract/index.ts";
import { flag, text } from "../define/index.ts";
import { define } from "../context/index.ts";
import { keepSecrets } from "../run-data/fields.ts";

export const key = text("the name of the setting, with dots: policy.approvals", {
  cli: { suggest: configKeys },
});
export const user = flag("for all your repositories, instead of this one");
export const scopeOf = (forUser: boolean) => (forUser ? ("user" as const) : ("repo" as const));

export const config = define({
  name: "config",
  group: "Set up",
  summary: "The configuration files; --origin shows every value in force",
  examples: ["thehood config", "thehood config --origin", "thehood config set policy.budgets.maxIterations 20"],
  effect: "reads",
  input: { origin: flag("every value in force with the file and line that set it, or default") },
  handle: async ({ origin }, { ports, folder }) =>
    origin ? { values: await ports.setup.origins(folder) } : ports.setup.config(folder),
  cli: { main: true },
});

const valueAt = (from: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, name) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, name)
        ? (inner as Readonly<Record<string, unknown>>)[name]
        : undefined,
    from,
  );

/** The key with its first unknown name replaced by the nearest one that is known there. */
function meant(from: object, path: readonly string[]): string | undefined {
  const at = path.findIndex((_, index) => valueAt(from, path.slice(0, index + 1)) === undefined);
  const near = nearest(path[at] ?? "", Object.keys(valueAt(from, path.slice(0, at)) ?? {}));
  return near === undefined ? undefined : [...path.slice(0, at), near, ...path.slice(at + 1)].join(".");
}

export const configGet = define({
  name: "config get",
  group: "Set up",
  summary: "One value of the configuration in force, and where it is set",
  examples: ["thehood config get policy.approvals", "thehood config get roles.verifier --json"],
  effect: "reads",
  input: { key },
  async handle(input, { ports, folder }) {
    const { keyPath } = await import("../../core/contract/setup/index.ts");
    const path = keyPath(input.key);
    const { user, repo, policy, userFile, repoFile } = await ports.setup.config(folder);
    const inForce = path[0] === "policy" ? valueAt({ policy }, path) : (valueAt(repo, path) ?? valueAt(user, path));
    if (inForce === undefined) {
      const near = meant(Object.assign({}, user, repo, { policy }), path);
      fail("not_found", `Nothing is set at ${input.key}${near ? `; did you mean ${near}?` : "."}`, {
        remedy: "See the whole of it: thehood config",
      });
    }
    const same = (other: unknown) => JSON.stringify(other) === JSON.stringify(inForce);
    const from = same(valueAt(repo, path)) ? repoFile : same(valueAt(user, path)) ? userFile : "default";
    return { key: input.key, value: inForce, from };
  },
  cli: { args: ["key"] },
});

export const configSet = define({
  name: "config set",
  group: "Set up",
  summary: "Change one value of your own configuration",
  examples: [
    "thehood config set providers.codex-cli.program /opt/codex/bin/codex",
    "thehood config set policy.fanoutParallel 2",
  ],
  effect: "decides",
  input: { key, value: text("JSON, or plain text"), keepSecrets },
  handle: (input, { ports }) => ports.setup.setConfig(input.key, input.value),
  cli: { args: ["key", "value"] },
});

export const configUnset = define({
  name: "config unset",
  group: "Set up",
  summary: "Remove one value from your own configuration",
  examples: ["thehood config unset policy.fanoutParallel"],
  effect: "decides",
  input: { key },
  handle: (input, { ports }) => ports.setup.setConfig(input.key),
  cli: { args: ["key"] },
});

export const policy = define({
  name: "policy",
  group: "Set up",
  summary: "What may happen without you",
  effect: "reads",
  input: {},
  async handle(_, { ports, folder }) {
    // A half applied patch is finished first: it may hold configuration of the repository.
    await using _runs = await ports.runs(folder);
    return (await ports.setup.config(folder)).policy;
  },
  cli: {},
});

export const policySet = define({
  name: "policy set",
  group: "Set up",
  summary: "Change your approval policy",
  more: "manual asks at every gate. auto_low_risk lets small transfers without secret risk pass. autopilot also starts work, calls agents\nand applies patches that nothing was found about. Protected changes, secrets and risky commands always ask.",
  examples: ["thehood policy set auto_low_risk"],
  effect: "decides",
  input: { mode: text("manual, auto_low_risk or autopilot", { cli: { suggest: approvalModes } }) },
  handle: ({ mode }, { ports }) => ports.setup.setPolicy(mode),
  cli: { args: ["mode"] },
});
