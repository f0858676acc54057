import type { IncomingHttpHeaders } from "node:http";
import { createServer } from "node:https";
import { text } from "node:stream/consumers";
import { listenLocally } from "./local-server.ts";
import { testCertificate } from "./test-certificate.ts";

export interface Received {
	readonly path: string;
	readonly method: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
}

interface Reply {
	readonly status: number;
	readonly headers?: Readonly<Record<string, string | string[]>>;
	readonly body?: string;
}

/** `drop` hangs up. */
type Answer = Reply | "drop";

export type WebhookReceiver = Awaited<ReturnType<typeof openWebhookReceiver>>;

export async function openWebhookReceiver() {
	const { cert, key } = await testCertificate();
	const received: Received[] = [];
	const replies = new Map<string, Answer | (() => Promise<Answer>)>();
	const server = createServer({ cert, key }, async (request, response) => {
		const { url: path = "", method = "", headers } = request;
		received.push({ path, method, headers, body: await text(request) });
		const given = replies.get(path) ?? { status: 200, body: "thanks" };
		const reply = typeof given === "function" ? await given() : given;
		if (reply === "drop") request.socket.destroy();
		else response.writeHead(reply.status, reply.headers).end(reply.body);
	});
	const { port, close } = await listenLocally(server);
	return {
		/** Without a slash at its end; every path below it is there. */
		url: `https://localhost:${port}`,
		/** PEM; clients of the receiver must trust it. */
		certificate: cert,
		received,
		/** Says how a path answers from now on, or what does as each call comes: 200 before that. */
		answers: (path: string, reply: Answer | (() => Promise<Answer>)) => void replies.set(path, reply),
		close,
	};
}
