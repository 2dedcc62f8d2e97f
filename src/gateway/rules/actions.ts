// Integrations that the user connected, and the rules of their actions: reading is allowed, writing waits for the user, and a
// dangerous action is denied. The list is the user's file; an agent cannot change it.
import { z } from "zod";

const name = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,59}$/, "must be small letters, digits, - and _");
const address = z
  .string()
  .regex(
    /^(https:\/\/[A-Za-z0-9.[\]:-]+|http:\/\/(127\.0\.0\.1|localhost)(:\d+)?)(\/[^\s?#@]*)?$/,
    "must be an https address without a password and a query",
  );

const action = z.strictObject({
  id: name,
  description: z.string().max(2000).default(""),
  risk: z.enum(["read", "write", "danger"]),
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  /** `{name}` stands for a parameter. */
  path: z.string().regex(/^\/[^?#\s]*$/, "must begin with / and have no query"),
});

const integration = z.strictObject({
  id: name,
  name: z.string().max(200),
  guide: z.string().max(20_000).default(""),
  baseUrl: address,
  /** `${KEY}` stands for a stored value of the integration. */
  headers: z.record(z.string(), z.string().max(4000)).default({}),
  actions: z.array(action).min(1).max(100),
});
export const integrationList = z.strictObject({ integrations: z.array(integration).max(50) });

export type Integration = z.infer<typeof integration>;
export type IntegrationAction = z.infer<typeof action>;

export const actionRequest = z.object({
  tool_call_id: z
    .string()
    .regex(/^[\x21-\x7e][\x20-\x7e]{0,499}$/)
    .optional(),
  integration: z.string().min(1).max(100),
  action: z.string().min(1).max(100),
  params: z.record(z.string(), z.unknown()).default({}),
});
export type ActionRequest = z.infer<typeof actionRequest>;

const modes = { read: "allow", write: "require_approval", danger: "deny" } as const;
export const actionMode = ({ risk }: Pick<IntegrationAction, "risk">) => modes[risk];

/** The stored values that the headers of an integration need. */
export const neededKeys = ({ headers }: Pick<Integration, "headers">): string[] => [
  ...new Set(Object.values(headers).flatMap((text) => [...text.matchAll(/\$\{(\w+)\}/g)].map(([, key = ""]) => key))),
];

export interface OutsideRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The request of an action. Parameters of the path are encoded, so none leads to another path or host. */
export function outsideRequest(
  { baseUrl, headers }: Integration,
  { method, path }: IntegrationAction,
  params: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, string>>,
): OutsideRequest | { readonly missing: string } {
  const rest = new Map(Object.entries(params));
  let missing: string | undefined;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => {
    const value = rest.get(key);
    if (typeof value !== "string" && typeof value !== "number") missing ??= key;
    rest.delete(key);
    return encodeURIComponent(String(value)).replaceAll(".", "%2E");
  });
  if (missing !== undefined) return { missing };
  const inQuery = method === "GET" || method === "DELETE";
  const pairs = [...rest].map(([key, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `${encodeURIComponent(key)}=${encodeURIComponent(text)}`;
  });
  const query = inQuery && pairs.length > 0 ? `?${pairs.join("&")}` : "";
  const own = Object.entries(headers).map(([key, text]) => [
    key.toLowerCase(),
    text.replaceAll(/\$\{(\w+)\}/g, (_, of: string) => values[of] ?? ""),
  ]);
  const type = inQuery ? [] : [["content-type", "application/json"]];
  return {
    url: `${baseUrl.replace(/\/+$/, "")}${filled}${query}`,
    method,
    headers: Object.fromEntries([...type, ...own]) as Record<string, string>,
    body: inQuery ? undefined : JSON.stringify(Object.fromEntries(rest)),
  };
}

/** The owner of an integration's stored values in the vault. */
const vaultPrefix = "integration:";
export const integrationVault = (id: string): string => `${vaultPrefix}${id}`;
export const integrationOfVault = (owner: string): string | undefined =>
  owner.startsWith(vaultPrefix) ? owner.slice(vaultPrefix.length) : undefined;
