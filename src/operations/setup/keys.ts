// The fields of operations on the user's configuration.
import { flag, text } from "../define/index.ts";

export const key = text("its path, with dots");
export const user = flag("for all your repositories, instead of this one");
export const scopeOf = (forUser: boolean) => (forUser ? ("user" as const) : ("repo" as const));
