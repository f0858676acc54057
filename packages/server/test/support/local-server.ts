import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Lets a server listen on a free port of this machine; `close` ends its connections, too. */
export async function listenLocally(server: Server): Promise<{ readonly port: number; close(): Promise<void> }> {
	await once(server.listen(0, "127.0.0.1"), "listening");
	const close = async () => {
		server.closeAllConnections();
		await new Promise((done) => server.close(done));
	};
	return { port: (server.address() as AddressInfo).port, close };
}
