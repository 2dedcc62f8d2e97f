// Artifacts: files named by the hash of their bytes, durable before any event can name them, checked when read.
import { fstatSync } from "node:fs";
import { FailureError, fail, type Artifacts } from "../../core/contract/index.ts";
import { fileSize, hashOf, pathOf, readExactly, withFile, createArtifactWriter } from "./artifact-files.ts";
import type { Database, Immediate } from "./database.ts";
import { corrupt } from "./failures.ts";
import { sha256 } from "./hashing.ts";
import { checkRef } from "./ids.ts";

interface ArtifactOptions {
  readonly root: string;
  readonly database: Pick<Database, "guard">;
  readonly maxBytes: number;
  readonly writable: boolean;
}

interface StoredArtifacts extends Immediate<Omit<Artifacts, "put" | "settle">>, Pick<Artifacts, "put" | "settle"> {}

export function createArtifacts(options: ArtifactOptions): StoredArtifacts {
  const { root, database, maxBytes } = options;
  const writer = createArtifactWriter(root);
  const checked = new Map<string, string>();

  // oxlint-disable-next-line require-await -- the port is asynchronous, and a throw must reject
  const put: StoredArtifacts["put"] = async (data, about) => {
    const bytes = typeof data === "string" ? Buffer.from(data, "utf8") : data;
    if (bytes.length > maxBytes) tooBig(bytes.length, maxBytes);
    if (!options.writable) fail("permission_denied", `The store at ${root} was opened to read.`);
    const name = sha256(bytes);
    database.guard(() => writer.put(name, bytes));
    return { ref: `sha256:${name}`, bytes: bytes.length, ...about };
  };

  const slice: StoredArtifacts["slice"] = (ref, offset, length) => {
    const name = checkRef(ref);
    checkRange(offset, length);
    return database.guard(() =>
      withFile(root, name, (descriptor) => {
        const { size, mtimeMs, ino } = fstatSync(descriptor);
        const stamp = `${ino} ${size} ${mtimeMs}`;
        const start = Math.min(offset, size);
        const bytes = readExactly(descriptor, start, Math.min(length, size - start));
        // Hashing the whole file for every page of it would make reading quadratic.
        if (checked.get(name) !== stamp) {
          const whole = bytes.length === size ? sha256(bytes) : hashOf(descriptor);
          if (whole !== name) altered(root, name);
          checked.set(name, stamp);
        }
        return { bytes, total: size };
      }),
    );
  };

  return {
    put,
    slice,
    // oxlint-disable-next-line require-await -- as above
    settle: async () => database.guard(writer.settle),
    has: (ref) => fileSize(pathOf(root, checkRef(ref))) !== undefined,
    read: (ref) => {
      const name = checkRef(ref);
      return database.guard(() =>
        withFile(root, name, (descriptor) => {
          const { size } = fstatSync(descriptor);
          if (size > maxBytes) tooBig(size, maxBytes);
          const bytes = readExactly(descriptor, 0, size);
          return sha256(bytes) === name ? bytes : altered(root, name);
        }),
      );
    },
  };
}

function checkRange(offset: number, length: number): void {
  for (const value of [offset, length])
    if (!Number.isSafeInteger(value) || value < 0)
      fail("invalid_input", `A range is given in whole numbers that are not negative, not ${value}.`);
}

function tooBig(size: number, maxBytes: number): never {
  return fail("invalid_input", `An artifact may hold ${maxBytes} bytes; this one has ${size}.`, {
    remedy: "Store a shorter excerpt, or read it in slices.",
  });
}

function altered(root: string, name: string): never {
  throw new FailureError(corrupt(root, `artifact sha256:${name} no longer matches its name`, { name }));
}
