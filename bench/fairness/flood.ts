// One key that sends as many queries as it can, in a process of its own; answer counts go to the parent each second.
import { setTimeout as pause } from "node:timers/promises";
import { heavyRequests } from "../query/requests.ts";

/** Kinds of floods. */
export const floods = ["queries", "funnels", "batches", "all"] as const;
export type Flood = (typeof floods)[number];

/** First message to the process. */
export interface FloodOrder {
	readonly url: string;
	readonly site: string;
	readonly apiKey: string;
	readonly flood: Flood;
}

/** How often each status was answered; 0 = hung up. */
export type FloodAnswers = Readonly<Record<number, number>>;

const REFUSED_PAUSE_MS = 100;
const HANG_UP_AFTER_MS = 1000;

const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
const year = { date_from: day(364), date_to: day(0) };
const dimensions = [
	"country",
	"device_type",
	"browser",
	"os",
	"utm_source",
	"utm_medium",
	"utm_campaign",
	"channel_group",
];
const answers: Record<number, number> = {};

/** Connections, with the query that each of them repeats. */
function planOf(site: string): Readonly<Record<Exclude<Flood, "all">, readonly [number, string, object, boolean]>> {
	const funnel = heavyRequests(site).find(({ path }) => path.startsWith("/stats/funnel"));
	const batched = Array.from({ length: 50 }, (_, at) => ({
		id: `q${at}`,
		endpoint: "/stats/query",
		params: { site_id: site, ...year, granularity: "hourly", dimensions, limit: 100 + at },
	}));
	return {
		queries: [50, "/stats/query", { ...year, granularity: "hourly", dimensions }, false],
		funnels: [30, funnel?.path ?? "", funnel?.body ?? {}, false],
		batches: [6, "/batch", { queries: batched, options: { parallel_limit: 10 } }, true],
	};
}

async function ask(order: FloodOrder, path: string, body: object, hangsUp: boolean): Promise<number> {
	try {
		const answer = await fetch(`${order.url}/api/v1${path}${path.includes("?") ? "&" : "?"}site_id=${order.site}`, {
			method: "POST",
			headers: { "x-api-key": order.apiKey, "content-type": "application/json" },
			body: JSON.stringify(body),
			...(hangsUp && { signal: AbortSignal.timeout(HANG_UP_AFTER_MS) }),
		});
		await answer.arrayBuffer();
		return answer.status;
	} catch {
		return 0;
	}
}

process.once("message", (order: FloodOrder) => {
	for (const [name, [connections, path, body, hangsUp]] of Object.entries(planOf(order.site))) {
		if (order.flood !== name && order.flood !== "all") continue;
		const connection = async () => {
			for (;;) {
				const status = await ask(order, path, body, hangsUp);
				answers[status] = (answers[status] ?? 0) + 1;
				if (status >= 400) await pause(REFUSED_PAUSE_MS);
			}
		};
		for (let one = 0; one < connections; one++) void connection();
	}
	setInterval(() => process.send?.(answers satisfies FloodAnswers), 1000);
});
