import { createServer } from "node:https";
import { type GotRequest, type Reply, serveLocally } from "./local-server.ts";
import { testCertificate } from "./test-certificate.ts";

export interface Received extends Omit<GotRequest, "body"> {
	readonly body: string;
}

export type WebhookReceiver = Awaited<ReturnType<typeof openWebhookReceiver>>;

export async function openWebhookReceiver() {
	const { cert, key } = await testCertificate();
	const received: Received[] = [];
	const replies = new Map<string, Reply>();
	const { port, close } = await serveLocally(({ body, ...request }) => {
		received.push({ ...request, body: body.toString() });
		return replies.get(request.path) ?? { body: "thanks" };
	}, createServer({ cert, key }));
	return {
		/** Without a slash at its end; every path below it is there. */
		url: `https://localhost:${port}`,
		/** PEM; clients of the receiver must trust it. */
		certificate: cert,
		received,
		/** Says how a path answers from now on: 200 before that. */
		answers: (path: string, reply: Reply) => void replies.set(path, reply),
		close,
	};
}
