import assert from "node:assert/strict";
import fc from "fast-check";
import { createSite, signIn } from "./support/accounts.ts";
import { sendHit, type TestHit } from "./support/hits.ts";
import { newKey } from "./support/mcp-client.ts";
import { assertAnswer } from "./support/oracle-answer.ts";
import { requestsTo, wholeReport } from "./support/oracle-ask.ts";
import { hitSets, NOW } from "./support/oracle-data.ts";
import { devices, factsOfHits, type OracleHit } from "./support/oracle-hits.ts";
import { type Asked, addressOf } from "./support/oracle-request.ts";
import { oracleTest } from "./support/oracle-runs.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

function asSent(hit: OracleHit): TestHit {
	const { event } = hit;
	return {
		site: hit.site.id,
		url: hit.url,
		referrer: hit.referrer,
		ip: `203.0.113.${hit.visitor}`,
		userAgent: devices[hit.device].userAgent,
		group: hit.group,
		...(event && {
			event: event.type,
			isMicro: event.micro,
			properties: { ...event.properties, ...(event.items.length > 0 && { items: event.items }) },
			...(event.micro ? {} : { amount: event.amountText ?? event.amount / 10_000 }),
			...(event.currency !== undefined && { currency: event.currency }),
		}),
	};
}

interface Case {
	readonly hits: readonly OracleHit[];
	readonly requests: readonly Asked[];
}

async function check({ hits, requests }: Case): Promise<void> {
	const app = await testApp({ now: new Date(hits[0]?.at ?? NOW).toISOString() });
	try {
		await compare(app, { hits, requests });
	} finally {
		await app.close();
	}
}

async function compare(app: TestApp, { hits, requests }: Case): Promise<void> {
	const sites = new Map([...hits.map((hit) => hit.site), ...requests.map(siteAsked)].map((site) => [site.id, site]));
	const owner = await signIn(app);
	for (const { id, timezone } of sites.values()) {
		assert.equal(await createSite(app, owner, { name: id, timezone, domains: [`${id}.example`] }), id);
	}
	// A session would end while the clock runs through the hits.
	const headers = await newKey(app, owner);
	for (const hit of hits) {
		app.clock.set(new Date(hit.at).toISOString());
		assert.equal(await sendHit(app, asSent(hit)), 204);
	}
	await app.collector?.flush();
	app.clock.set(new Date(NOW).toISOString());
	const facts = factsOfHits(hits);
	// Random requests look at parts; these also find values stored under a wrong name.
	const whole = [...sites.values()].flatMap((site) =>
		(["overview", "pages", "landingPages", "campaigns", "conversions", "microconversions", "type"] as const).map(
			(name) => wholeReport(name, site, "2026-10-20"),
		),
	);
	for (const asked of [...whole, ...requests]) {
		const response = await app.inject({ url: `/api/v1${addressOf(asked)}`, headers });
		assertAnswer(response, facts, asked, NOW);
	}
}

const siteAsked = ({ site, timezone }: Asked) => ({ id: site, timezone });

const cases = hitSets.chain(({ sites, hits }) =>
	fc
		.array(requestsTo(sites), { minLength: 10, maxLength: 15 })
		.map((requests) => ({ hits, requests: requests.map((asked) => ({ ...asked, segment: undefined })) })),
);
oracleTest("hits that were sent come back in reports as the oracle understands them", 4, cases, check);
