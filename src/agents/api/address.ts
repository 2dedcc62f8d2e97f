// Where an endpoint is, and whether that is this machine. Only a loopback address keeps data here.
import { fail } from "../../core/contract/index.ts";

export interface Address {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Host and port, for people. */
  readonly host: string;
  readonly loopback: boolean;
}

/** The parser has made every other spelling of 127.0.0.0/8 and ::1 into one of these. */
const here = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

export function addressOf(text: string): Address {
  const url = URL.parse(text);
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:"))
    return fail("invalid_input", "The base URL is not an http or https address.", {
      remedy: "Write it like http://127.0.0.1:11434/v1",
    });
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    return fail("invalid_input", `The base URL for ${url.host} holds a login, a query or a fragment.`, {
      remedy: "A key has no place in an address: name the variable that holds it, as apiKeyEnv.",
    });
  return {
    baseUrl: `${url.origin}${url.pathname}`.replace(/\/+$/, ""),
    host: url.host,
    loopback: here.test(url.hostname),
  };
}
