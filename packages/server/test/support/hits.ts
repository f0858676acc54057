import { collectKey } from "../../src/composition/collector.ts";
import { issueToken } from "../../src/features/collecting/collect/index.ts";
import type { TestApp } from "./test-app.ts";

/** A hit as a browser sends it; absent fields get the values of a common browser. */
export interface TestHit {
	readonly site: string;
	readonly url: string;
	readonly referrer?: string;
	readonly ip?: string;
	readonly userAgent?: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly timezone?: string;
	/** Event type; without it the hit is a page view. */
	readonly event?: string;
	readonly amount?: number | string | boolean;
	readonly currency?: string;
	readonly isMicro?: boolean;
	readonly group?: string;
	readonly properties?: Readonly<Record<string, unknown>>;
	/** Token of the tracker script; a genuine one when absent. */
	readonly token?: string;
}

const chrome =
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

const browserHeaders = {
	"accept-language": "en-GB,en;q=0.9",
	"accept-encoding": "gzip, deflate, br, zstd",
	"sec-fetch-mode": "cors",
	"sec-fetch-site": "cross-site",
	"sec-fetch-dest": "empty",
	"sec-ch-ua": '"Chromium";v="142", "Google Chrome";v="142", "Not_A Brand";v="99"',
	"sec-ch-ua-mobile": "?0",
	"sec-ch-ua-platform": '"Windows"',
};

interface Counting {
	readonly address: () => Promise<string>;
	readonly config: Pick<TestApp["config"], "secretKey">;
	readonly clock: { readonly now: () => number };
}

/** Sends a hit over the network and answers its status; it is in reports after `app.collector.flush()`. */
export async function sendHit(app: Counting, hit: TestHit): Promise<number> {
	const response = await fetch(`${await app.address()}/event`, {
		method: "POST",
		headers: {
			...browserHeaders,
			...hit.headers,
			"content-type": "application/x-www-form-urlencoded",
			"user-agent": hit.userAgent ?? chrome,
			"x-forwarded-for": hit.ip ?? "203.0.113.7",
			"x-forwarded-proto": "https",
		},
		body: `d=${encodeURIComponent(JSON.stringify(wire(app, hit)))}`,
	});
	await response.body?.cancel();
	return response.status;
}

const wire = (app: Counting, hit: TestHit) => ({
	a: hit.site,
	t: hit.token ?? issueToken(collectKey(app.config.secretKey), hit.site, app.clock.now()),
	u: hit.url,
	r: hit.referrer ?? "",
	z: hit.timezone ?? "Europe/Madrid",
	...(hit.group === undefined ? {} : { g: hit.group }),
	...(hit.event === undefined ? {} : { e: hit.event }),
	...(hit.amount === undefined ? {} : { v: hit.amount }),
	...(hit.currency === undefined ? {} : { k: hit.currency }),
	...(hit.isMicro === true ? { m: true } : {}),
	...(hit.properties === undefined ? {} : { x: hit.properties }),
});

export async function sendHits(app: TestApp, hits: readonly TestHit[]): Promise<void> {
	for (const hit of hits) await sendHit(app, hit);
	await app.collector?.flush();
}
