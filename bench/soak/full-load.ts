// Sends numbered hits as fast as they are answered; tells how many were acknowledged so far when asked, and at the end.
import type { HitTarget } from "../support/hits.ts";
import { NumberedLoad } from "../support/numbered-load.ts";

const CONNECTIONS = 50;
/** Each sends a hit and comes again after so many others: more than a visit lasts, so that visits end all the time. */
const VISITORS = 1_000_000;

let load: NumberedLoad | undefined;

process.on("message", async (order: (HitTarget & { readonly port: number }) | "count" | "stop") => {
	if (typeof order !== "string") {
		load = new NumberedLoad({ target: order, connections: CONNECTIONS, visitors: VISITORS, onlyCounts: true });
		load.aim(order.port);
		return;
	}
	if (order === "stop") await load?.stop();
	const counts = { sent: load?.sent ?? 0, acknowledged: load?.acknowledged ?? 0 };
	process.send?.(counts, () => order === "stop" && process.disconnect?.());
});

// The parent has ended and needs no result.
process.on("disconnect", () => process.exit());
