// Test only: the keychain programs of the systems, played by shell scripts over a folder. They record how they were called.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "./temp-folder.ts";

const secretTool = `#!/bin/sh
printf '%s\\n' "$*" >> "$0.calls"
[ -e "$0.locked" ] && { echo "secret-tool: Cannot create an item in a locked collection" >&2; exit 1; }
for last; do :; done
file="$(dirname "$0")/entries/$(printf %s "$last" | tr ' ' _)"
case "$1" in
  lookup) [ -e "$file" ] || exit 1; cat "$file" ;;
  store) cat > "$file" ;;
esac
`;

const security = `#!/bin/sh
printf '%s\\n' "$*" >> "$0.calls"
[ -e "$0.locked" ] && { echo "security: SecKeychainItemCopyContent: User interaction is not allowed." >&2; exit 36; }
folder="$(dirname "$0")/entries"
case "$1" in
  find-generic-password)
    file="$folder/$(printf %s "$5" | tr ' ' _)"
    [ -e "$file" ] || { echo "The specified item could not be found in the keychain." >&2; exit 44; }
    cat "$file"; echo ;;
  -i)
    read -r line
    entry="$(printf %s "$line" | sed 's/.* -a "\\([^"]*\\)".*/\\1/' | tr ' ' _)"
    printf %s "$line" | sed 's/.* -w "\\([^"]*\\)".*/\\1/' > "$folder/$entry" ;;
esac
`;

export interface PlayedKeychain {
  readonly folder: string;
  /** The arguments of every call, one call a line. */
  calls(): string;
  entries(): Record<string, string>;
  lock(): void;
}

export function playKeychain(name: "secret-tool" | "security"): PlayedKeychain {
  const folder = tempFolder("keychain-");
  const program = join(folder, name);
  mkdirSync(join(folder, "entries"));
  writeFileSync(program, name === "security" ? security : secretTool);
  chmodSync(program, 0o755);
  const at = join(folder, "entries");
  return {
    folder,
    calls: () => (existsSync(`${program}.calls`) ? readFileSync(`${program}.calls`, "utf8") : ""),
    entries: () => Object.fromEntries(readdirSync(at).map((file) => [file, readFileSync(join(at, file), "utf8")])),
    lock: () => writeFileSync(`${program}.locked`, ""),
  };
}
