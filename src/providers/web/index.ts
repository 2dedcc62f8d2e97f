// The door to the browser engines. The double plays a script; drivers of real pages will stand beside it.
export { browserDouble } from "./double.ts";
