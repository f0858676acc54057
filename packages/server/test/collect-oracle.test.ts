import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createSite, type Session, signIn } from "./support/accounts.ts";
import { sendHit, type TestHit } from "./support/hits.ts";
import { assertAnswer } from "./support/oracle-answer.ts";
import { requestsTo, wholeReport } from "./support/oracle-ask.ts";
import { NOW } from "./support/oracle-data.ts";
import { hitSets } from "./support/oracle-hit-data.ts";
import { devices, factsOfHits, type OracleHit } from "./support/oracle-hits.ts";
import { type Asked, addressOf } from "./support/oracle-request.ts";
import { oracleLimit, oracleRuns } from "./support/oracle-runs.ts";
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

/** A key, as a session would end while the clock runs through the hits. */
async function createKey(app: TestApp, owner: Session): Promise<string> {
	const { headers } = owner;
	const response = await app.inject({
		method: "POST",
		url: "/api/v1/api-tokens",
		headers,
		payload: { name: "oracle" },
	});
	assert.equal(response.statusCode, 201, response.body);
	return response.json().data.token;
}

async function check(hits: readonly OracleHit[], requests: readonly Asked[]): Promise<void> {
	const app = await testApp({ now: new Date(hits[0]?.at ?? NOW).toISOString() });
	try {
		await compare(app, hits, requests);
	} finally {
		await app.close();
	}
}

async function compare(app: TestApp, hits: readonly OracleHit[], requests: readonly Asked[]): Promise<void> {
	const sites = new Map([...hits.map((hit) => hit.site), ...requests.map(siteAsked)].map((site) => [site.id, site]));
	const owner = await signIn(app);
	for (const { id, timezone } of sites.values()) {
		assert.equal(await createSite(app, owner, { name: id, timezone, domains: [`${id}.example`] }), id);
	}
	const headers = { "x-api-key": await createKey(app, owner) };
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
	fc.record({
		hits: fc.constant(hits),
		requests: fc.array(
			requestsTo(sites).map((asked) => ({ ...asked, segment: undefined })),
			{ minLength: 10, maxLength: 15 },
		),
	}),
);

test("hits that were sent come back in reports as the oracle understands them", oracleLimit(120_000), async () => {
	const property = fc.asyncProperty(cases, ({ hits, requests }) => check(hits, requests));
	await fc.assert(property, oracleRuns(4));
});
