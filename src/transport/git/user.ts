// What git work needs of the user and the machine; read by the app, since only it may look at the environment.

export interface UserGit {
  readonly version: string;
  readonly author: { readonly name: string; readonly email: string };
  /** For a push only: where keys and agents are found. */
  readonly network: {
    readonly env: Readonly<Record<string, string>>;
    readonly credentialHelpers: readonly string[];
  };
}
