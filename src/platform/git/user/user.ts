// The user and the machine as git work needs them; the environment is handed in by the app.

export interface UserGit {
  readonly version: string;
  readonly author: { readonly name: string; readonly email: string };
  /** For a push only: where keys and agents are found. */
  readonly network: {
    readonly env: Readonly<Record<string, string>>;
    /** The user's own settings on logins, addresses and certificates, in their order. */
    readonly config: readonly (readonly [key: string, value: string])[];
  };
}
