// Sends numbered hits as fast as they are answered, and tells at the end how many were acknowledged.
import type { HitTarget } from "../support/hits.ts";
import { NumberedLoad } from "../support/numbered-load.ts";

const CONNECTIONS = 50;
/** Each sends a hit and comes again after so many others: more than a visit lasts, so that visits end all the time. */
const VISITORS = 1_000_000;

let load: NumberedLoad | undefined;

process.on("message", async (order: (HitTarget & { readonly port: number }) | "stop") => {
	if (order !== "stop") {
		load = new NumberedLoad({ target: order, connections: CONNECTIONS, visitors: VISITORS });
		load.aim(order.port);
		return;
	}
	const result = await load?.stop();
	process.send?.({ sent: result?.sent ?? 0, acknowledged: result?.acknowledged.length ?? 0 }, () =>
		process.disconnect?.(),
	);
});

// Nobody asks for the result any more.
process.on("disconnect", () => process.exit());
