// A small double of S3-compatible storage: put, get, head and list of objects, and nothing for an unsigned request.
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";

export interface ObjectServer {
  readonly url: string;
  readonly objects: Map<string, Buffer>;
  /** So many requests from now on find nobody: their line breaks. */
  breakLines(count: number): void;
  remove(): Promise<void>;
}

export async function objectServer(): Promise<ObjectServer> {
  const objects = new Map<string, Buffer>();
  let breaking = 0;
  const server = createServer((request, response) => {
    if (breaking > 0) {
      breaking -= 1;
      return request.socket.destroy();
    }
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const signed = request.headers.authorization?.startsWith("AWS4-HMAC-SHA256 Credential=key/") === true;
    void buffer(request).then((body) => {
      if (!signed) return response.writeHead(403).end("<Error>unsigned</Error>");
      if (request.method === "PUT") {
        objects.set(url.pathname, body);
        return response.writeHead(200).end();
      }
      if (url.searchParams.get("list-type") === "2") {
        const prefix = `${url.pathname}/${url.searchParams.get("prefix") ?? ""}`;
        const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).sort();
        const short = keys.map((key) => `<Key>${key.slice(url.pathname.length + 1)}</Key>`);
        return response.writeHead(200).end(`<ListBucketResult>${short.join("")}</ListBucketResult>`);
      }
      const found = objects.get(url.pathname);
      return found ? response.writeHead(200).end(found) : response.writeHead(404).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    objects,
    breakLines: (count) => {
      breaking = count;
    },
    remove: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}
