// Paths as lines of a gate.
import { plainLine } from "../../contract/index.ts";

export const list = (paths: readonly string[], most = 40): string[] => [
  ...paths.slice(0, most).map((path) => `- ${plainLine(path, 300)}`),
  ...(paths.length > most ? [`- and ${paths.length - most} more`] : []),
];
