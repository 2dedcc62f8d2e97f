// Counts and latencies of this process in the format of Prometheus.

export class GatewayMetrics {
  readonly #counts = new Map<string, number>();
  readonly #sums = new Map<string, { count: number; sum: number }>();
  #active = 0;

  count(name: string, labels: Readonly<Record<string, string>> = {}): void {
    const key = withLabels(name, labels);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  took(name: string, ms: number, labels: Readonly<Record<string, string>> = {}): void {
    const key = withLabels(name, labels);
    const old = this.#sums.get(key) ?? { count: 0, sum: 0 };
    this.#sums.set(key, { count: old.count + 1, sum: old.sum + ms });
  }

  callBegan(): void {
    this.#active += 1;
  }

  callEnded(): void {
    this.#active -= 1;
  }

  text(gauges: Readonly<Record<string, number>>): string {
    const lines = [`thehood_gateway_tool_calls_active ${this.#active}`];
    for (const [name, value] of Object.entries(gauges)) lines.push(`thehood_gateway_${name} ${value}`);
    for (const [key, value] of this.#counts) lines.push(`thehood_gateway_${key} ${value}`);
    for (const [key, { count, sum }] of this.#sums) {
      const [name, labels = ""] = split(key);
      lines.push(
        `thehood_gateway_${name}_ms_sum${labels} ${sum}`,
        `thehood_gateway_${name}_ms_count${labels} ${count}`,
      );
    }
    return `${lines.join("\n")}\n`;
  }
}

function withLabels(name: string, labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${value}"`);
  return pairs.length === 0 ? name : `${name}{${pairs.join(",")}}`;
}

function split(key: string): [string, string?] {
  const at = key.indexOf("{");
  return at < 0 ? [key] : [key.slice(0, at), key.slice(at)];
}
