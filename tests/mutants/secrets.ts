// Secrets in what a person or a program gives, and keys that we keep.
import type { Mutant } from "./mutant.ts";

export const secrets: readonly Mutant[] = [
  {
    id: "D61",
    promise: "S-2 a secret in a goal or a message is replaced before the operation gets it",
    file: "src/operations/perform.ts",
    search: "(await withoutSecrets(operation, given, context)) as never",
    replace: "given as never",
    tests: ["tests/secrets/every-field.test.ts"],
  },
  {
    id: "D62",
    promise: "S-2 a program cannot have a secret kept",
    file: "src/operations/perform.ts",
    search: 'effect === "decides" || keepSecrets === true ||',
    replace: 'effect === "decides" ||',
    tests: ["tests/secrets/every-field.test.ts"],
  },
  {
    id: "D63",
    promise: "S-2 a command with a secret in two words is refused",
    file: "src/operations/secrets-in-input.ts",
    search: "words.length > 1 && !written.has(field)",
    replace: "words.length > 99 && !written.has(field)",
    tests: ["tests/secrets/every-field.test.ts"],
  },
  {
    id: "D64",
    promise: "S-1 a file with a key that the group can read is refused",
    file: "src/platform/keychain/kept-secret.ts",
    search: "(fstatSync(descriptor).mode & 0o077) !== 0",
    replace: "(fstatSync(descriptor).mode & 0o007) !== 0",
    tests: ["src/platform/keychain/kept-secret.test.ts"],
  },
  {
    id: "D65",
    promise: "S-1 the seed of a token that the group can read is refused",
    file: "src/surfaces/host-config/server/token.ts",
    search: "(mode & 0o077) !== 0",
    replace: "(mode & 0o007) !== 0",
    tests: ["src/surfaces/host-config/server/token.test.ts"],
  },
];
