// Agents by their roles.
import { assignableRoles } from "../../core/contract/index.ts";
import { record } from "../define/index.ts";
import { assignment } from "../run-data/fields.ts";

export const crew = record(assignableRoles, assignment("an agent"), "who plays which role", {
  mcp: { name: "role_mapping" },
});
