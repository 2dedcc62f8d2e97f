// The page for a phone: on one address of the local network, with TLS, for one device, to show runs and decide at gates.
import { networkInterfaces } from "node:os";
import { renderUnicodeCompact } from "uqr";
import { fail } from "../../core/contract/index.ts";
import { listenOn, type Listening } from "../../platform/http/index.ts";
import { certificateFor, keptCertificate } from "./certificate.ts";
import { listenAsUsual } from "./ports.ts";
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

interface LanOptions {
  /** The address; the first one of this machine without. */
  readonly address: string | undefined;
  readonly pairedDays: number;
  /** Where the port and the certificate are kept for the next start. */
  readonly folder: string;
}

export async function serveLan(
  deps: PageServerDeps,
  { address: given, pairedDays, folder }: LanOptions,
): Promise<LanPage> {
  const address = given ?? lanAddress();
  // A phone that stays paired finds the same certificate again; otherwise its key never leaves this process.
  const tls =
    pairedDays === 0 ? certificateFor(address, deps.now()) : keptCertificate(folder, address, deps.now(), pairedDays);
  let usual = false;
  const served = { names: [address], secure: true, exact: true };
  const service = createPageService(deps, { served, reach: "gates", pairedDays: () => (usual ? pairedDays : 0) });
  const listening = await listenAsUsual(folder, "lan-port", 0, (port) =>
    listenOn({ host: address, port, tls }, service.handle),
  );
  usual = listening.usual;
  const { server } = listening;
  return {
    ...server,
    invite() {
      const link = `${server.origin}/#t=${service.sessions.invite()}`;
      return [
        "",
        renderUnicodeCompact(link),
        `For your phone: ${link}`,
        "Every device in this network can reach this page; only the device that opens the link first within a minute gets access.",
        `It can show runs and decide at gates${usual && pairedDays > 0 ? `, and stays paired for ${pairedDays} days (thehood web devices)` : ""}.`,
        "Your browser warns about the certificate, which is self-signed; compare its fingerprint:",
        `SHA-256 ${tls.fingerprint}`,
      ].join("\n");
    },
  };
}
