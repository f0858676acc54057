// Sends page views with a path of their own each, and reports which of them were acknowledged. It survives the service:
// broken connections are opened again, to the current port, until it gets the stop message.
import { createRandom } from "../../packages/server/src/features/collecting/seed/random.ts";
import { browsers } from "../support/browsers.ts";
import { buildRequest, type HitTarget } from "../support/hits.ts";
import { openLoadConnection } from "../support/load-connection.ts";

/** Messages from the bench: where to send, or stop. */
export type UniqueLoadOrder = { readonly target: HitTarget; readonly port: number } | "stop";

const CONNECTIONS = 20;
// So many that none of them sends more hits a minute than a visitor may.
const VISITORS = 20_000;
const RETRY_MS = 20;

const random = createRandom(7);
const crowd = Array.from({ length: VISITORS }, (_, index) => ({
	address: `12.0.${index >> 8}.${index & 255}`,
	browser: browsers(random),
	zone: "Europe/Madrid",
}));
const acknowledged: number[] = [];
let place: { target: HitTarget; port: number } | undefined;
let sent = 0;
let isStopping = false;
let isFinished = false;
let open = 0;

function keepOpen(): void {
	if (isStopping) {
		finish();
		return;
	}
	const here = place;
	if (here === undefined) return;
	open++;
	let current = 0;
	const again = () => {
		open--;
		setTimeout(keepOpen, RETRY_MS);
	};
	openLoadConnection(here.port, {
		next() {
			if (isStopping || place !== here) return undefined;
			current = sent++;
			const visitor = crowd[current % VISITORS] ?? crowd[0];
			return visitor && buildRequest(here.target, visitor, { u: `https://shop.example/hit/${current}`, r: "" });
		},
		answered(status) {
			if (status === 204) acknowledged.push(current);
		},
		broke: again,
		ended: again,
	});
}

/** Reports once, when the last connection has ended. */
function finish(): void {
	if (open > 0 || isFinished) return;
	isFinished = true;
	process.send?.({ acknowledged, sent }, () => process.disconnect?.());
}

process.on("message", (order: UniqueLoadOrder) => {
	if (order === "stop") {
		isStopping = true;
		return;
	}
	const isFirst = place === undefined;
	place = order;
	if (isFirst) for (let index = 0; index < CONNECTIONS; index++) keepOpen();
});
