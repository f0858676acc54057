import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** Lets a server listen on a free port of this machine; `close` ends its connections, too. */
export async function listenLocally(server: Server): Promise<{ readonly port: number; close(): Promise<void> }> {
	await once(server.listen(0, "127.0.0.1"), "listening");
	const close = async () => {
		server.closeAllConnections();
		await new Promise((done) => server.close(done));
	};
	return { port: (server.address() as AddressInfo).port, close };
}

/** A request as a stand-in server got it; its path has the query. */
export interface GotRequest {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: Buffer;
}

/** A text is sent as it is, any other body as JSON. `hang` takes a request and never answers, `drop` hangs up. */
export type Reply =
	| {
			readonly status?: number;
			readonly headers?: Readonly<Record<string, string | string[]>>;
			readonly body?: unknown;
	  }
	| "hang"
	| "drop";

/** Lets a server listen that gives these answers, once a request is there as a whole. */
export function serveLocally(answer: (request: GotRequest) => Reply | Promise<Reply>, server: Server = createServer()) {
	server.on("request", async (request, response) => {
		const { method = "", url: path = "/", headers } = request;
		const reply = await answer({ method, path, headers, body: await buffer(request) });
		if (reply === "hang") return;
		if (reply === "drop") return void request.socket.destroy();
		const { status = 200, headers: more, body = "" } = reply;
		const type = typeof body === "string" ? {} : { "content-type": "application/json" };
		response.writeHead(status, { ...type, ...more }).end(typeof body === "string" ? body : JSON.stringify(body));
	});
	return listenLocally(server);
}
