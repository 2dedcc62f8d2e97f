// The providers as rows: what answers, from where, how it changes files, and whose login it uses.
import { agentProgramRows } from "../../src/core/contract/index.ts";
import { knownEndpoints } from "../../src/agents/api/roles/endpoints.ts";
import { agentPrograms } from "../../src/agents/cli/index.ts";
import { sandboxIds } from "../../src/agents/registry/index.ts";
import { webSites } from "../../src/agents/web/role.ts";
import { code } from "./parts.ts";

const place = { local: "this machine", external: "the servers of its model" } as const;
const worktree = "working in a worktree";
const patch = "a diff in the answer";

export function providerRows(): string[][] {
  const programs = agentPrograms.map(({ id, boundary }) => {
    const row = agentProgramRows.find((one) => one.id === id);
    return [code(id), `agent program \`${row?.program ?? id}\``, place[boundary], worktree, "the program's own"];
  });
  const endpoints = knownEndpoints.map(({ id, keyName }) => [
    code(id),
    "model API",
    place.external,
    patch,
    `the variable ${code(keyName)}`,
  ]);
  const pages = webSites.map(({ id, url }) => [
    code(id),
    `page ${url}`,
    place.external,
    patch,
    "the browser profile of TheHood",
  ]);
  return [
    ...programs,
    ["a name of yours, `kind: acp`", "program that speaks ACP", place.external, worktree, "the program's own"],
    ...endpoints,
    [
      "a name of yours, `kind: openai-compatible`",
      "model API",
      "this machine at a loopback address, else elsewhere",
      patch,
      "the variable in `apiKeyEnv`, if any",
    ],
    ...pages,
    ...sandboxIds.map((id) => [
      code(id),
      "OpenCode in a sandbox of the gateway",
      place.external,
      patch,
      "the gateway's",
    ]),
    [code("stub"), "script, no model", place.local, worktree, "none"],
  ];
}
