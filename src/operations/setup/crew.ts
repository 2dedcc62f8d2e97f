// Agents by their roles.
import { assignableRoles } from "../../contract/index.ts";
import { record } from "../define/index.ts";
import { assignment } from "../runs/fields.ts";

export const crew = record(assignableRoles, assignment("an agent"), "who plays which role", {
  mcp: { name: "role_mapping" },
});
