// The version of the package, the same for every program in it.
import pkg from "../../package.json" with { type: "json" };

export const version: string = pkg.version;
