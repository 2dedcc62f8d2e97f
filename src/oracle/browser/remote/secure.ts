// TLS between two machines of one user. Both know the token, and the key of the connection is made from it: neither needs a
// certificate, and who does not know the token can neither listen nor stand between them.
import { createHash } from "node:crypto";
import { connect, createServer, type Server, type TLSSocket } from "node:tls";

const identity = "oracle";

/** With a key for each connection, so that a token that is lost later opens none of the past. */
const options = {
  ciphers: "ECDHE-PSK-CHACHA20-POLY1305",
  minVersion: "TLSv1.2",
  maxVersion: "TLSv1.2",
} as const;

const keyOf = (token: string): Buffer => createHash("sha256").update(`oracle serve ${token}`).digest();

export function secureServer(token: string, onConnection: (socket: TLSSocket) => void): Server {
  const key = keyOf(token);
  const pskCallback = (_socket: unknown, name: string) => (name === identity ? key : null);
  return createServer({ ...options, pskCallback, handshakeTimeout: 10_000 }, onConnection);
}

export function secureConnection(host: string, port: number, token: string): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      ...options,
      host,
      port,
      pskCallback: () => ({ psk: keyOf(token), identity }),
      // There is no certificate: the shared key proves who it is.
      checkServerIdentity: () => undefined,
    });
    socket.setTimeout(15_000, () => socket.destroy(new Error("it does not answer")));
    socket.once("error", reject);
    socket.once("secureConnect", () => {
      socket.setTimeout(0);
      socket.off("error", reject);
      resolve(socket);
    });
  });
}
