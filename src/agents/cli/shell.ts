// A shell to stand before the real one: each command that an agent runs has no network, and not the login its agent
// asks the model with. It needs bubblewrap, so it is only laid where there is one.

interface OfflineShell {
  /** Variables to be taken away. */
  readonly variables: readonly string[];
  /** Files not to be read. */
  readonly files: readonly string[];
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** Takes the words of bash. */
export function offlineShell({ variables, files }: OfflineShell): string {
  return [
    "#!/bin/sh",
    `unset ${variables.join(" ")}`,
    'set -- -- /bin/bash "$@"',
    ...files.map((file) => `[ -e ${quoted(file)} ] && set -- --ro-bind /dev/null ${quoted(file)} "$@"`),
    'set -- --unshare-user --unshare-net --die-with-parent --dev-bind / / "$@"',
    'exec bwrap "$@"',
    "",
  ].join("\n");
}
