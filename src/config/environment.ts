// The environment of the user, as the app reads it once. Other rooms are handed what they need of it.

export interface Environment {
  readonly home: string;
  /** The folder of the user's configuration. */
  readonly configDir: string;
  /** The folder of what we remember for the user beside it. */
  readonly stateDir: string;
  /** For the command runner, which keeps the search path, the locale and the time zone of it, and nothing else. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Lets a local implementer edit the checkout itself. */
  readonly allowDirectEdit: boolean;
}
