// Which models a provider can be asked for: those it knows, and the short names a person gave (S-12).
import type { ResolvedModel } from "../core/contract/index.ts";
import { nearest } from "../core/contract/did-you-mean/index.ts";

export interface KnownModels {
  readonly provider: string;
  /** As the program or the endpoint spells them. "default" leaves the choice to it and is always known. */
  readonly known: readonly string[];
  /** From the user's configuration: short name to the real one. */
  readonly aliases: Readonly<Record<string, string>>;
}

const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** The name to send, or null for the program's own choice. Undefined when no such model is known. */
export function slugOf({ known, aliases }: KnownModels, model: string): string | null | undefined {
  const alias = own(aliases, model);
  if (alias !== undefined) return alias;
  if (model === "default") return null;
  return known.includes(model) ? model : undefined;
}

/** An alias has the identity of what it stands for, so that it cannot make one agent look like two. */
export function resolveModel(models: KnownModels, model: string): ResolvedModel {
  const slug = slugOf(models, model);
  if (slug !== undefined) return { ok: true, identity: `${models.provider}:${slug ?? "default"}` };
  const names = ["default", ...Object.keys(models.aliases), ...models.known];
  const near = nearest(model, names);
  return {
    ok: false,
    problem: `${models.provider} knows no model "${model.slice(0, 100)}".`,
    remedy: `${near ? `Did you mean ${near}? ` : ""}Known: ${names.slice(0, 12).join(", ")}. If it is new, name it in your own configuration: "providers": {"${models.provider}": {"models": {"${model.slice(0, 100)}": "${model.slice(0, 100)}"}}}.`,
  };
}
