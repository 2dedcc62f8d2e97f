// The door to what is told without any run.
export { recommend, recommendLoop } from "../recipes/index.ts";
export { assignRoles, doctor, modelAccess, roles } from "./setup.ts";
