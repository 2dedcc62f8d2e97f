// The variables an agent program gets: those its adapter names, what networks need, what the user passes on. Never ours.
import type { AgentEnvironment, AgentProgram } from "./program.ts";

const ours = /^(THEHOOD|ORACLE)_/;

/** Without these no program reaches anything behind a company's proxy. */
const network = [
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "ALL_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "all_proxy",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
];

const matches = (pattern: string, name: string): boolean =>
  pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

export function agentVariables(program: AgentProgram, place: AgentEnvironment): Record<string, string> {
  const patterns = [
    ...program.variables,
    ...(program.boundary === "external" ? network : []),
    ...(place.settings.passEnv ?? []),
  ];
  return Object.fromEntries(
    Object.entries(place.variables).flatMap(([name, value]) =>
      value !== undefined && !ours.test(name) && patterns.some((pattern) => matches(pattern, name))
        ? [[name, value]]
        : [],
    ),
  );
}
