// What a program may ask about the machine and the crew, within a few kilobytes.
import { z } from "zod";
import { transferPurpose } from "../../contract/index.ts";
import { fit } from "../fit.ts";
import { operation } from "../operation.ts";
import { startRun } from "../runs/start.ts";

const mostBytes = 5_800;
const nothing = z.strictObject({});

export const doctor = operation(nothing, async (_, { given, repo }) =>
  fit(await given.setup.doctor(repo), mostBytes),
);

export const roles = operation(nothing, async (_, { given, repo }) =>
  fit({ roles: await given.setup.roles(repo), providers: await given.setup.models(repo) }, mostBytes),
);

const { roles: crew } = startRun.shape;

export const assignRoles = operation(
  z.strictObject({ roles: crew.unwrap() }),
  async (input, { given, repo }) => {
    await given.setup.setRoles(repo, input.roles, "repo");
    return fit({ roles: await given.setup.roles(repo) }, mostBytes);
  },
);

export const modelAccess = operation(
  z.strictObject({
    purpose: transferPurpose.default("repo_context").describe("What would be sent."),
    roles: crew.describe("Who would play which role; the configured crew without."),
  }),
  async (input, { given, repo }) =>
    fit(await given.setup.access(repo, input.purpose, input.roles), mostBytes),
);
