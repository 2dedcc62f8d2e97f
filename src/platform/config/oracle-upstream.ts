// The config of steipete/oracle, which has the same path as ours: JSON5, with other keys.

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Text, with a unit where the key names one. */
type Read = (value: unknown) => unknown;
const same: Read = (value) => value;
const seconds: Read = (value) => (typeof value === "number" ? value : undefined);

/** Keys of upstream with a meaning here. */
const renamed: Readonly<Record<string, readonly [string, Read]>> = {
  heartbeatSeconds: ["heartbeat", seconds],
  apiBaseUrl: ["baseUrl", same],
  maxFileSizeBytes: ["maxFileSize", same],
  chatgptUrl: ["browserUrl", same],
};
const inBrowser: Readonly<Record<string, readonly [string, Read]>> = {
  chatgptUrl: ["browserUrl", same],
  url: ["browserUrl", same],
  bundleFormat: ["browserBundleFormat", (value) => (value === "auto" ? undefined : value)],
};

/** Keys with the same name and another form. */
const spelled: Readonly<Record<string, Read>> = {
  search: (value) => (value === "on" || value === "off" ? value === "on" : value),
  notify: (value) => (isObject(value) ? value["enabled"] === true : value),
  // A machine with upstream's own server, and a list of names.
  remote: (value) => (isObject(value) ? undefined : value),
  models: (value) => (Array.isArray(value) ? undefined : value),
};

interface Translated {
  readonly config: unknown;
  readonly ignored: readonly string[];
}

/** The keys that `shape` has, with upstream's translated; the others are named. */
export function fromUpstream(raw: unknown, shape: object): Translated {
  if (!isObject(raw)) return { config: raw, ignored: [] };
  const config: Record<string, unknown> = {};
  const ignored: string[] = [];
  const take = (name: string, value: unknown, entry: readonly [string, Read] | undefined) => {
    const [target, read] = entry ?? [name, same];
    const meant = Object.hasOwn(shape, target) ? read(value) : undefined;
    if (meant === undefined) ignored.push(name);
    // Our own key wins over upstream's word for it.
    else if (entry === undefined || !Object.hasOwn(raw, target)) config[target] = meant;
  };
  for (const [name, value] of Object.entries(raw)) {
    if (Object.hasOwn(shape, name)) {
      const meant = (spelled[name] ?? same)(value);
      if (meant === undefined) ignored.push(name);
      else config[name] = meant;
    } else if (name === "browser" && isObject(value))
      for (const [inner, one] of Object.entries(value)) {
        const entry = inBrowser[inner];
        if (entry === undefined) ignored.push(`browser.${inner}`);
        else take(`browser.${inner}`, one, entry);
      }
    else take(name, value, renamed[name]);
  }
  return { config, ignored };
}

/** JSON5 → JSON with comments: keys without quotes, and texts in single quotes. Other text stays as it is, with its lines. */
export function plainJson(text: string): string {
  return text.replaceAll(
    /("(?:\\.|[^"\\\n])*"|\/\/.*|\/\*[^]*?\*\/)|'((?:\\.|[^'\\\n])*)'|([A-Za-z_$][\w$]*)(?=\s*:)/g,
    (whole, kept: string | undefined, single: string | undefined, key: string | undefined) => {
      if (kept !== undefined) return whole;
      if (single !== undefined) return JSON.stringify(single.replaceAll("\\'", "'"));
      return key === undefined ? whole : `"${key}"`;
    },
  );
}
