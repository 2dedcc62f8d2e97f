// The door to what is known of each site.
export { type LoadedSite, loadSite } from "./load.ts";
export type { SiteData } from "./schema.ts";
