// Evidence beside the database: files by the hash of their content, on the disk before they are named to anybody.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { connect, createArtifacts } from "../../../platform/store/index.ts";
import type { GatewayStore } from "../port.ts";
import { gatewaySchema } from "./schema.ts";

const mostBytes = 64 << 20;

export function openEvidence(
  folder: string,
  file: string,
): Pick<GatewayStore, "artifacts"> & { close(): void } {
  const root = join(folder, "artifacts");
  mkdirSync(join(root, "tmp"), { recursive: true, mode: 0o700 });
  const database = connect({ file, mode: "read", busyTimeoutMs: 10_000, schema: gatewaySchema });
  const files = createArtifacts({ root, database, maxBytes: mostBytes, writable: true });
  return {
    artifacts: {
      // oxlint-disable-next-line require-await -- the port is asynchronous, and a throw must reject
      async put(bytes, about) {
        const kept = files.put(bytes, about);
        files.settle();
        return kept;
      },
      // oxlint-disable-next-line require-await -- as above
      read: async (ref) => files.read(ref),
    },
    close: () => database.close(),
  };
}
