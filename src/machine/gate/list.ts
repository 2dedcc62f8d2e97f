// Paths as lines of a gate.
import { visibleName } from "../../contract/index.ts";

export const list = (paths: readonly string[], most = 40): string[] => [
  ...paths.slice(0, most).map((path) => `- ${visibleName(path)}`),
  ...(paths.length > most ? [`- and ${paths.length - most} more`] : []),
];
