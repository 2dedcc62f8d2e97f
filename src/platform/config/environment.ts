// The environment of the user, as the app reads it once. Other rooms are handed the parts that they need.

export interface Environment {
  readonly home: string;
  /** The folder of the user's configuration. */
  readonly configDir: string;
  /** The folder of our own notes for the user, such as the kept token of the server. */
  readonly stateDir: string;
  /** For the command runner, which keeps the search path, the locale and the time zone of it, and nothing else. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Lets a local implementer edit the checkout itself. */
  readonly allowDirectEdit: boolean;
}
