// The text port: bytes to text and back, and text without secrets, by our rules and the user's.
import { type SecretOptions, redact } from "../../../core/secrets/index.ts";
import type { TextPort } from "../../engine/effects/index.ts";

const decoder = new TextDecoder();
const encoder = new TextEncoder();

export function createTextPort(secrets?: SecretOptions): TextPort {
  const withoutSecrets = (text: string) => {
    const { text: clean, matches } = redact(text, secrets);
    return { text: clean, taken: matches.length };
  };
  return {
    decode: (bytes) => decoder.decode(bytes),
    encode: (text) => encoder.encode(text),
    withoutSecrets,
    redact: (text) => withoutSecrets(text).text,
  };
}
