// The receivers of a measurement, in a process of their own: HTTPS on a free port of 127.0.0.1, one path each.
// Prints its address; at a line on standard input, prints what came so far as JSON.
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

/** Behaviour of a receiver, by the first part of the path. */
const manners = {
	healthy: { status: 204 },
	failing: { status: 500 },
	redirecting: { status: 302, headers: { location: "https://127.0.0.1:1/" } },
	hanging: undefined,
} as const;

const [certificate = "", key = ""] = process.argv.slice(2).map((file) => readFileSync(file, "utf8"));
/** Calls: path, id of the event, and milliseconds from its happening to its arrival. */
const calls: (readonly [path: string, eventId: string, ms: number])[] = [];

const server = createServer({ cert: certificate, key }, async (request, response) => {
	const { url: path = "" } = request;
	const event = JSON.parse(await text(request)) as { event_id: string; timestamp: string };
	calls.push([path, event.event_id, Date.now() - Date.parse(event.timestamp)]);
	const manner = manners[path.split("/")[1] as keyof typeof manners];
	if (manner !== undefined) response.writeHead(manner.status, "headers" in manner ? manner.headers : {}).end();
});
server.listen(0, "127.0.0.1", () => console.log(`https://127.0.0.1:${(server.address() as AddressInfo).port}`));
createInterface(process.stdin)
	.on("line", () => console.log(JSON.stringify(calls)))
	// The parent has ended.
	.on("close", () => process.exit());
