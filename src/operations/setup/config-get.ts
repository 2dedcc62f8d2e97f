// `config get`: one value of the configuration in force, and where it is set.
import { fail } from "../../core/contract/index.ts";
import { nearest } from "../../core/contract/did-you-mean/index.ts";
import { define } from "../context/index.ts";
import { key } from "./keys.ts";

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
    const inForce =
      path[0] === "policy" ? valueAt({ policy }, path) : (valueAt(repo, path) ?? valueAt(user, path));
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
  cli: { words: ["key"] },
});
