// Health, readiness and metrics of a worker, on loopback.
import { listenOn, type Listening } from "../platform/http/index.ts";

/** The runs of a worker by their outcome. */
export interface WorkerCounts {
  started: number;
  ended: number;
  handedOver: number;
  failed: number;
}

export async function serveHealth(
  port: number | undefined,
  { ready, counts, doing }: { ready(): boolean; counts: WorkerCounts; doing(): number },
): Promise<Listening | undefined> {
  if (port === undefined) return undefined;
  const metrics = (): string =>
    [
      "# TYPE thehood_worker_runs_active gauge",
      `thehood_worker_runs_active ${doing()}`,
      "# TYPE thehood_worker_runs counter",
      ...Object.entries(counts).map(([name, value]) => `thehood_worker_runs_total{outcome="${name}"} ${value}`),
      "# EOF",
      "",
    ].join("\n");
  return listenOn({ host: "127.0.0.1", port }, (request, response) => {
    const answer = (status: number, text: string, type = "text/plain; charset=utf-8") =>
      response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(text);
    if (request.method !== "GET") return answer(405, "only GET\n");
    if (request.url === "/healthz") return answer(200, "ok\n");
    if (request.url === "/readyz") return ready() ? answer(200, "ready\n") : answer(503, "not ready\n");
    if (request.url === "/metrics")
      return answer(200, metrics(), "application/openmetrics-text; version=1.0.0; charset=utf-8");
    return answer(404, "not found\n");
  });
}
