// Crew choice. Everything it needs of the machine is handed in as data.
export { isProgram, sentence, usableBy, type Agent, type Model, byOrder } from "./agent.ts";
export {
  assignmentsOf,
  frozenCrew,
  isUnassigned,
  knownOf,
  namedCrew,
  namedFallbacks,
  type Crew,
  type Known,
  type Resolution,
  type Resolutions,
  type RoleOverrides,
} from "./crew.ts";
export { fillCrew, lacksRoles, effectiveCrew } from "./fill.ts";
export { findCrew } from "./found.ts";
export { modelAccess } from "./model-access.ts";
export { translatePreviewConfig } from "./preview-config.ts";
export { priceOf } from "./prices.ts";
export { crewBrief, providerRow, roleRows } from "./rows.ts";
export { allTeams, nameModels, presetNamed, providersOf, requireTeam, teamHere } from "./teams.ts";
export { teamPresets } from "./team-table.ts";
export { refuseSelfReview, refuseWeakerVerifier, verifyingRoles } from "./verifier.ts";
