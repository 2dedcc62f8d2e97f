// The media type of a piece of evidence by its name. Other names are plain bytes, which no browser runs.
const types: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  txt: "text/plain",
  log: "text/plain",
  md: "text/plain",
  json: "text/plain",
  xml: "text/plain",
  csv: "text/plain",
  diff: "text/plain",
  patch: "text/plain",
};

export const mediaTypeOf = (path: string): string =>
  types[/\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? ""] ?? "application/octet-stream";
