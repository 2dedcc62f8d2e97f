// How a gateway is served, as its operation asks for it and its process is told.
export interface GatewayListening {
  readonly host: string;
  readonly port: number;
  readonly remote: boolean;
  readonly provider: "local" | "docker" | "e2b" | "modal";
  readonly image: string | undefined;
  /** The gateway's address for machines of a cloud. */
  readonly publicUrl: string | undefined;
  /** Hosts that programs in local sandboxes may reach, `name` or `name:port`. */
  readonly allowHosts: readonly string[];
}
