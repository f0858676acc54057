import type { IncomingHttpHeaders } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { testCertificate } from "./test-certificate.ts";

/** A call that a receiver got. */
export interface Received {
	readonly path: string;
	readonly method: string;
	readonly headers: IncomingHttpHeaders;
	/** The raw body. */
	readonly body: string;
}

interface Reply {
	readonly status: number;
	readonly headers?: Readonly<Record<string, string | string[]>>;
	readonly body?: string;
}

/** A real HTTPS server that keeps what it gets. */
export interface WebhookReceiver {
	/** Without a slash at its end; every path below it is there. */
	readonly url: string;
	/** PEM; clients of the receiver must trust it. */
	readonly certificate: string;
	readonly received: Received[];
	/** Says how a path answers from now on: 200 before that. `hang` takes the call and never answers, `drop` hangs up. */
	answers(path: string, reply: Reply | "hang" | "drop"): void;
	close(): Promise<void>;
}

/** Starts a receiver on a free port of this machine. */
export async function openWebhookReceiver(): Promise<WebhookReceiver> {
	const { cert, key } = await testCertificate();
	const received: Received[] = [];
	const replies = new Map<string, Reply | "hang" | "drop">();
	const server = createServer({ cert, key }, async (request, response) => {
		const { url: path = "", method = "", headers } = request;
		received.push({ path, method, headers, body: await text(request) });
		const reply = replies.get(path) ?? { status: 200, body: "thanks" };
		if (reply === "hang") return;
		if (reply === "drop") {
			request.socket.destroy();
			return;
		}
		response.writeHead(reply.status, reply.headers).end(reply.body);
	});
	await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
	const { port } = server.address() as AddressInfo;
	return {
		url: `https://localhost:${port}`,
		certificate: cert,
		received,
		answers: (path, reply) => void replies.set(path, reply),
		close: async () => {
			server.closeAllConnections();
			await new Promise((done) => server.close(done));
		},
	};
}
