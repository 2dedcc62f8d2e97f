// The settings of a provider in a person's own configuration. A repository can set none of them: programs, addresses
// and variables decide what runs and where data goes.
import { z } from "zod";

const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/);
const word = z.string().min(1).max(4_000);

const providerSettings = z.strictObject({
  /** Makes a provider of this name: an agent that speaks ACP, or an endpoint that speaks OpenAI's chat API. */
  kind: z.enum(["acp", "openai-compatible"]).optional(),
  /** The program to start, as a path or as a name to be found on PATH. */
  program: word.optional(),
  /** Words put before those that the adapter adds. */
  args: z.array(word).max(200).optional(),
  /** Variables of our own environment that the program may see, besides those its adapter names. */
  passEnv: z.array(variable).max(100).optional(),
  /** Short names for models: alias to the name that the program or the endpoint knows. An alias bypasses nothing (S-12). */
  models: z.record(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,127}$/), word).optional(),
  /** Files of the program's own, such as its login, that it may read although your home is hidden; from your home, or absolute. */
  ownFiles: z.array(word).max(100).optional(),
  /** Paths of a checkout, from its top, that hold logins by their name and that the program may read all the same. */
  mayRead: z.array(word).max(100).optional(),
  /** For ACP: which of the agent's ways to log in is taken, by its id. */
  authMethod: word.optional(),
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** The variable that holds the key; the key itself has no place in a file. */
  apiKeyEnv: variable.optional(),
});
export type ProviderSettings = z.infer<typeof providerSettings>;

export const providersInput = z.record(z.string().regex(/^[a-z][a-z0-9-]{0,40}$/), providerSettings);
export type ProvidersInput = z.infer<typeof providersInput>;
