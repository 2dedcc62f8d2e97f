// The options of a gateway server: from its operation to its process.
export interface GatewayListening {
  readonly host: string;
  readonly port: number;
  readonly remote: boolean;
  readonly provider: "local" | "docker" | "e2b" | "modal";
  readonly image: string | undefined;
  /** The URL of the gateway for machines of a cloud. */
  readonly publicUrl: string | undefined;
  /** Hosts that programs in local sandboxes may reach, `name` or `name:port`. */
  readonly allowHosts: readonly string[];
}
