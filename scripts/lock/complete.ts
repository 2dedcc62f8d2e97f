// Completes a package lock. A registry mirror can lack the newest bindings of other platforms; npm then leaves them out
// of the lock, and `npm ci` refuses that lock on every machine. An entry needs only its version and its platform.

interface Platform {
  readonly os?: readonly string[];
  readonly cpu: readonly string[];
  readonly libc?: readonly string[];
}

interface Entry extends Partial<Platform> {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface Lock {
  readonly packages: Readonly<Record<string, Entry>>;
}

const bindingPattern =
  /(?:^|[-/])(win32|darwin|linux|freebsd|android|openharmony)-(arm64|arm|x64|ia32|ppc64|riscv64|s390x)(?:-([a-z]+))?$/;

/** The platform that a binding's name tells: "@oxlint/binding-linux-arm64-musl" → linux, arm64, musl. */
export function platformOf(name: string): Platform {
  if (name.endsWith("wasm32-wasi")) return { cpu: ["wasm32"] };
  const [, os, cpu, kind = ""] = bindingPattern.exec(name) ?? [];
  if (!os || !cpu) throw new Error(`${name} does not name a platform that is known here`);
  const libc = kind.startsWith("musl") ? "musl" : kind.startsWith("gnu") ? "glibc" : undefined;
  return { cpu: [cpu], os: [os], ...(libc ? { libc: [libc] } : {}) };
}

const modules = "node_modules/";
const folderOf = (path: string) => path.slice(0, path.lastIndexOf(modules) + modules.length);

/** The entry that Node would find for `name` from the package at `owner`: its own folder first, then each one above. */
function nearest({ packages }: Lock, owner: string, name: string): Entry | undefined {
  for (let at = owner; ; at = folderOf(at).slice(0, -modules.length - 1)) {
    const found = packages[`${at === "" ? "" : `${at}/`}${modules}${name}`];
    if (found || at === "") return found;
  }
}

export interface MissingBinding {
  readonly owner: string;
  readonly name: string;
  readonly version: string;
}

/** Every optional dependency with an exact version that a locked package names and the lock does not hold. */
export function missingBindings(lock: Lock): MissingBinding[] {
  return Object.entries(lock.packages).flatMap(([owner, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name, version]) => /^\d/.test(version) && nearest(lock, owner, name)?.version !== version)
      .map(([name, version]) => ({ owner, name, version })),
  );
}

/** The lock with an entry for each of them beside its owner, in the order in which npm writes entries. */
export function completeLock<L extends Lock>(lock: L): L {
  const packages: Record<string, Entry> = { ...lock.packages };
  for (const { owner, name, version } of missingBindings(lock)) {
    const dev = lock.packages[owner]?.dev;
    const path = (owner === "" ? modules : folderOf(owner)) + name;
    packages[path] = { version, ...platformOf(name), ...(dev ? { dev } : {}), optional: true };
  }
  const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, "en"));
  return { ...lock, packages: Object.fromEntries(sorted) };
}
