// A transfer manifest as text for a person: where the message goes, what it holds, and its beginning.
import { isRecord, parseJson, visibleText } from "../../core/contract/index.ts";

const text = (value: unknown): string => visibleText(typeof value === "string" ? value : String(value ?? ""));
const list = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((one) => isRecord(one)) : [];
const field = (value: unknown, key: string): unknown => (isRecord(value) ? value[key] : undefined);

function partLines(part: Record<string, unknown>): string[] {
  const holds = list(part["holds"]).map(
    (one) => `  - ${text(one["name"])}${one["truncated"] === true ? ", shortened" : ""}  ${text(one["ref"])}`,
  );
  return [
    `- ${text(part["name"])}: ${text(part["byteLength"])} bytes  ${text(part["ref"])}`,
    ...(holds.length > 0 ? ["  with these excerpts:", ...holds] : []),
  ];
}

/** The sheet of a gate fits a screen; the manifest and the message are one command away. */
const shownChars = 1_200;

/** Empty for any other text. */
export function describeManifest(recorded: string): string {
  const manifest = parseJson(recorded);
  if (!isRecord(manifest) || manifest["kind"] !== "external_transfer_manifest") return "";
  const { destination, artifacts, preview, risk, mayRead, redaction } = manifest;
  const parts = list(artifacts);
  const place = text(field(destination, "place"));
  const reasons = field(risk, "reasons");
  const whole = text(field(preview, "content"));
  const beginning = whole.slice(0, shownChars);
  return [
    `Transfer manifest: ${text(manifest["totalBytes"])} bytes to ${text(field(destination, "provider"))}:${text(field(destination, "model"))}${place === "" ? "" : ` at ${place}`}`,
    `role: ${text(manifest["role"])}; purpose: ${text(manifest["purpose"])}; risk: ${text(field(risk, "class"))}`,
    ...(Array.isArray(reasons) ? reasons.map((one) => `- ${text(one)}`) : []),
    `sha256 of the message: ${text(manifest["contentSha256"])}; secrets replaced in it: ${text(field(redaction, "replaced"))}`,
    ...(isRecord(mayRead)
      ? [`may also read: ${text(mayRead["bytes"])} bytes in ${text(mayRead["calls"])} looks: ${text(mayRead["what"])}`]
      : []),
    "sent:",
    ...parts.flatMap(partLines),
    "",
    "The message begins:",
    beginning,
    ...(beginning.length < whole.length || field(preview, "truncated") === true ? ["[… the message goes on …]"] : []),
  ].join("\n");
}
