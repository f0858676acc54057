// A server that takes webhooks: verify first, then answer, and work on the event afterwards.
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { FootfallError, verifyWebhook } from "footfall-client";

const secret = process.env["WEBHOOK_SECRET"] ?? "";
const server = createServer(async (request, response) => {
	try {
		const body = new Uint8Array(await buffer(request));
		const { event, event_id } = await verifyWebhook({ secret, headers: request.headers, body });
		response.writeHead(204).end();
		console.log(`${event} ${event_id}`);
	} catch (error) {
		response.writeHead(error instanceof FootfallError ? 401 : 500).end();
	}
});
server.listen(Number(process.env["PORT"] ?? 8080), "127.0.0.1", () => {
	const address = server.address();
	console.log(`listening on ${typeof address === "object" ? address?.port : address}`);
});
