import { createServer } from "node:https";
import { type GotRequest, type Reply, serveLocally } from "./local-server.ts";
import { testCertificate } from "./test-certificate.ts";

export type Received = Omit<GotRequest, "body"> & { readonly body: string };

export type WebhookReceiver = Awaited<ReturnType<typeof openWebhookReceiver>>;

export async function openWebhookReceiver() {
	const { cert, key } = await testCertificate();
	const received: Received[] = [];
	const replies = new Map<string, Reply | (() => Promise<Reply>)>();
	const answer = ({ path, body, ...request }: GotRequest) => {
		received.push({ path, ...request, body: body.toString() });
		const reply = replies.get(path) ?? { body: "thanks" };
		return typeof reply === "function" ? reply() : reply;
	};
	const { port, close } = await serveLocally(answer, createServer({ cert, key }));
	return {
		/** Without a slash at its end; every path below it is there. */
		url: `https://localhost:${port}`,
		/** PEM; clients of the receiver must trust it. */
		certificate: cert,
		received,
		/** Says how a path answers from now on, or what does as each call comes: 200 before that. */
		answers: (path: string, reply: Reply | (() => Promise<Reply>)) => void replies.set(path, reply),
		close,
	};
}
