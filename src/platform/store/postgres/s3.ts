// Artifacts in S3-compatible storage, one object each, named by its hash.
import { AwsClient } from "aws4fetch";
import { FailureError, fail } from "../../../core/contract/index.ts";
import type { ArtifactHome } from "./artifacts.ts";

type Variables = Readonly<Record<string, string | undefined>>;

export function s3Home(address: string, variables: Variables): ArtifactHome {
  const { hostname: bucket, pathname } = new URL(address);
  const prefix = pathname.replace(/^\/|\/$/g, "");
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = variables;
  if (!bucket || !accessKeyId || !secretAccessKey)
    fail("invalid_config", `The storage ${address} needs a bucket, an access key and its secret.`, {
      remedy:
        "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_REGION, AWS_ENDPOINT_URL for other servers than Amazon's).",
    });
  const region = variables["AWS_REGION"] ?? "us-east-1";
  const endpoint = variables["AWS_ENDPOINT_URL"] ?? `https://s3.${region}.amazonaws.com`;
  const sessionToken = variables["AWS_SESSION_TOKEN"];
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    region,
    service: "s3",
    retries: 4,
    ...(sessionToken === undefined ? {} : { sessionToken }),
  });
  const root = `${endpoint.replace(/\/$/, "")}/${bucket}`;
  const urlOf = (name: string) => `${root}/${prefix === "" ? "" : `${prefix}/`}${name}`;

  const ask = async (url: string, init: RequestInit): Promise<Response> => {
    try {
      return await client.fetch(url, { ...init, signal: AbortSignal.timeout(120_000) });
    } catch (error) {
      throw unreachable(address, error instanceof Error ? error.message : String(error), error);
    }
  };
  const answered = async (response: Response, ...fine: number[]): Promise<Response> => {
    if (response.ok || fine.includes(response.status)) return response;
    const text = (await response.text()).slice(0, 300);
    if (response.status === 401 || response.status === 403)
      return fail("permission_denied", `The storage ${address} refuses these credentials (${response.status}).`, {
        remedy: "Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and the rights of the bucket.",
        details: { text },
      });
    throw unreachable(address, `${response.status} ${text}`);
  };

  const has = async (name: string): Promise<boolean> =>
    (await answered(await ask(urlOf(name), { method: "HEAD" }), 404)).ok;
  return {
    has,
    put: async (name, bytes) => {
      if (await has(name)) return;
      await answered(await ask(urlOf(name), { method: "PUT", body: Buffer.from(bytes) }));
    },
    get: async (name) => {
      const response = await answered(await ask(urlOf(name), { method: "GET" }), 404);
      return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
    },
    names: async function* () {
      const base = prefix === "" ? "" : `${prefix}/`;
      for (let token: string | undefined = ""; token !== undefined;) {
        const query = new URLSearchParams({ "list-type": "2", prefix: base });
        if (token !== "") query.set("continuation-token", token);
        const page = await (await answered(await ask(`${root}?${query}`, { method: "GET" }))).text();
        for (const [, key = ""] of page.matchAll(/<Key>([^<]*)<\/Key>/g)) {
          const name = key.slice(base.length);
          if (/^[0-9a-f]{64}$/.test(name)) yield name;
        }
        token = /<NextContinuationToken>([^<]*)</.exec(page)?.[1];
      }
    },
  };
}

function unreachable(address: string, why: string, cause?: unknown): FailureError {
  return new FailureError(
    {
      code: "store_unreachable",
      message: `The storage ${address} cannot be used: ${why}.`,
      remedy: "Check AWS_ENDPOINT_URL and the network, then run the command again; it goes on from what was stored.",
    },
    { cause },
  );
}
