// The door to recipes.
export { recommend, recommendLoop } from "./recommend.ts";
