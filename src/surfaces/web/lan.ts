// The page for a phone: on one address of the local network, with TLS, for one device, to show runs and decide at gates.
import { networkInterfaces } from "node:os";
import { renderUnicodeCompact } from "uqr";
import { fail } from "../../core/contract/index.ts";
import { listenOn, type Listening } from "../../platform/http/index.ts";
import { certificateFor } from "./certificate.ts";
import { createPageService, type PageServerDeps } from "./service.ts";

/** The first address of this machine in a local network. */
function lanAddress(): string {
  const found = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .find(({ internal, family }) => !internal && family === "IPv4");
  return (
    found?.address ??
    fail("invalid_input", "This machine has no address in a local network.", {
      remedy: "Leave --lan out, or connect to a network.",
    })
  );
}

export interface LanPage extends Listening {
  /** A link for one device, as text and as a QR code. */
  invite(): string;
}

export async function serveLan(deps: PageServerDeps, given?: string): Promise<LanPage> {
  const address = given ?? lanAddress();
  const tls = certificateFor(address, deps.now());
  const service = createPageService(deps, { names: [address], secure: true, exact: true }, "gates");
  const server = await listenOn({ host: address, port: 0, tls }, service.handle);
  return {
    ...server,
    invite() {
      const link = `${server.origin}/#t=${service.sessions.invite()}`;
      return [
        "",
        renderUnicodeCompact(link),
        `For your phone: ${link}`,
        "Every device in this network can reach this page; only the device that opens the link first within a minute gets access.",
        "It can show runs and decide at gates. Your browser warns about the certificate, which is new; compare its fingerprint:",
        `SHA-256 ${tls.fingerprint}`,
      ].join("\n");
    },
  };
}
