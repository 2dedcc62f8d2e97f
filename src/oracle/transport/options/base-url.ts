// Base URLs of APIs: https, or plain http on this machine; nothing hidden in them.
import { fail } from "../../../core/contract/index.ts";

const loopback = /^(localhost|\[::1\]|127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;

export function normalizeBaseUrl(given: string): string {
  // The text before an @ may be a password.
  const shown = given.replace(/^([^/]*\/\/)?[^/]*@/, "$1***@");
  const refuse = (why: string): never =>
    fail("invalid_input", `The base URL "${shown}" cannot be used: ${why}.`, {
      remedy: "For example --base-url https://api.example.com/v1",
    });
  if (!URL.canParse(given)) return refuse("it is not a full URL");
  const url = new URL(given);
  if (url.protocol !== "https:" && url.protocol !== "http:") return refuse("only https is used");
  if (url.protocol === "http:" && !loopback.test(url.hostname))
    return refuse("plain http would show the key to everyone on the way; it is for loopback only");
  if (url.username !== "" || url.password !== "") return refuse("it carries a name or password");
  if (url.search !== "" || url.hash !== "") return refuse("it carries a query or fragment");
  return url.href.replace(/\/+$/, "");
}
