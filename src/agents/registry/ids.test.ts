import { expect, it } from "vitest";
import { knownEndpoints } from "../api/roles/endpoints.ts";
import { agentPrograms } from "../cli/index.ts";
import { agentIds, endpointIds, webIds } from "./registry.ts";
import { webSites } from "../web/role.ts";

it("every adapter can be asked for by its name", () => {
  expect(agentPrograms.map(({ id }) => id)).toEqual([...agentIds]);
  expect(knownEndpoints.map(({ id }) => id)).toEqual([...endpointIds]);
  expect(webSites.map(({ id }) => id)).toEqual([...webIds]);
});
