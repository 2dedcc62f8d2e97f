// The hosts that programs in a sandbox may reach: a list of names, each with its ports. Every other host is refused.

export interface HostRule {
  /** In lower case; `*.name` matches every name under it. */
  readonly host: string;
  readonly ports: readonly number[];
}

const usualPorts = [80, 443];
const shape = /^(\*\.)?([a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:]+\])(?::(\d{1,5}))?$/;

/** `registry.npmjs.org`, `*.example.com`, `10.0.0.7:5432`; undefined for any other text. */
export function hostRule(text: string): HostRule | undefined {
  const [, star = "", name, port] = shape.exec(text.toLowerCase()) ?? [];
  if (name === undefined || (star !== "" && !/[a-z]/.test(name))) return undefined;
  const number = Number(port);
  if (port !== undefined && (number < 1 || number > 65_535)) return undefined;
  return { host: `${star}${name}`, ports: port === undefined ? usualPorts : [number] };
}

const bare = (host: string): string => host.toLowerCase().replace(/\.$/, "");
const matches = (rule: string, host: string): boolean =>
  rule.startsWith("*.") ? host.endsWith(rule.slice(1)) : rule === host;

/** The rule that lets a connection through. */
export const ruleFor = (rules: readonly HostRule[], host: string, port: number): HostRule | undefined =>
  rules.find((rule) => matches(rule.host, bare(host)) && rule.ports.includes(port));

/** Whether a rule names an address or this machine: then the user allows that address itself. */
export const namesAddress = ({ host }: HostRule): boolean =>
  host === "localhost" || /^[\d.]+$/.test(host) || host.startsWith("[");

/** Whether an address belongs to this machine or its own network, in any spelling of a resolver. */
export function isInner(address: string): boolean {
  const ip = address.toLowerCase().replace(/^::ffff:/, "");
  if (ip.includes(":")) return ip === "::" || ip === "::1" || /^(fe[89ab]|f[cd])/.test(ip);
  const [a = 0, b = 0] = ip.split(".").map(Number);
  return (
    a === 0 ||
    a === 10 ||
    a === 127 ||
    a >= 224 ||
    (a === 100 && b >= 64 && b < 128) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && b === 168)
  );
}
