import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import fc from "fast-check";
import { createSite, signIn } from "./support/accounts.ts";
import { sendHit } from "./support/hits.ts";
import { newKey } from "./support/mcp-client.ts";
import { newDirectory } from "./support/new-directory.ts";
import { assertAnswer } from "./support/oracle-answer.ts";
import { requestsTo, wholeReport } from "./support/oracle-ask.ts";
import { hitSets, NOW, type ValueOf } from "./support/oracle-data.ts";
import type { Fact } from "./support/oracle-facts.ts";
import { devices, factsOfHits, type OracleHit } from "./support/oracle-hits.ts";
import { type Asked, addressOf } from "./support/oracle-request.ts";
import { oracleTest } from "./support/oracle-runs.ts";
import { type LentEventStore, lendEventStore } from "./support/stores-on-shared-engine.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

/** The service takes a hit at its own moment. */
async function send(app: TestApp, { event, ...hit }: OracleHit): Promise<void> {
	app.clock.set(new Date(hit.at).toISOString());
	const status = await sendHit(app, {
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
	});
	assert.equal(status, 204);
}

const siteAsked = ({ site, timezone }: Asked) => ({ id: site, timezone });

const cases = hitSets.chain(({ sites, hits }) =>
	fc
		.array(requestsTo(sites), { minLength: 10, maxLength: 15 })
		.map((requests) => ({ hits, requests: requests.map((asked) => ({ ...asked, segment: undefined })) })),
);

async function compareReports(app: TestApp, { hits, requests }: ValueOf<typeof cases>): Promise<void> {
	const sites = new Map([...hits.map((hit) => hit.site), ...requests.map(siteAsked)].map((site) => [site.id, site]));
	const owner = await signIn(app);
	for (const { id, timezone } of sites.values()) {
		assert.equal(await createSite(app, owner, { name: id, timezone, domains: [`${id}.example`] }), id);
	}
	// A session would end while the clock runs through the hits.
	const headers = await newKey(app, owner);
	for (const hit of hits) await send(app, hit);
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

oracleTest("hits that were sent come back in reports as the oracle understands them", 4, cases, async (drawn) => {
	const app = await testApp({ now: new Date(drawn.hits[0]?.at ?? NOW).toISOString() });
	await compareReports(app, drawn).finally(() => app.close());
});

const MINUTE = 60_000;
const SITE = "shop";
const HOST = `${SITE}.example`;

/** How a run of the service ends before a hit: in order, as a kill leaves its files, or not at all. */
type End = "goes on" | "stops" | "is killed";

interface Step {
	readonly end: End;
	readonly hit: OracleHit;
}

// Two addresses of one path, referrer, campaign and click id are one after a restart: none of these are.
const newsletter = "utm_source=newsletter&utm_medium=email&utm_campaign";
const places = ["/", "/a", "/b", `/offer?${newsletter}=x`, `/spring?${newsletter}=y`];
const pages = [...places, "/ad?gclid=one", "/ad?gclid=two", "/again?gclid=one"];
const referrers = ["", "", "own", "own", "own", "https://www.google.com/", "https://blog.example/post"];

const drawn = fc.record({
	visitor: fc.constantFrom("1", "2", "3"),
	// Never half an hour in sum, at which a visit ends; at times a day or weeks, for click ids.
	minutes: fc.oneof(
		{ weight: 20, arbitrary: fc.integer({ min: 0, max: 28 }) },
		{ weight: 2, arbitrary: fc.integer({ min: 31, max: 1500 }) },
		{ weight: 1, arbitrary: fc.integer({ min: 20_000, max: 30_000 }) },
	),
	page: fc.constantFrom(...pages),
	referrer: fc.constantFrom(...referrers),
	event: fc.option(fc.boolean(), { nil: undefined, freq: 3 }),
	end: fc.constantFrom<End>(...Array<End>(24).fill("goes on"), "stops", "is killed"),
});

const streams: fc.Arbitrary<readonly Step[]> = fc.array(drawn, { minLength: 60, maxLength: 120 }).map((parts) => {
	let at = Date.parse("2026-11-20T18:00:00Z");
	return parts.map(({ visitor, minutes, page, referrer, event, end }, index) => {
		at += minutes * MINUTE + 1000 + index;
		const hit: OracleHit = {
			site: { id: SITE, timezone: "America/New_York", hosts: [HOST] },
			at,
			visitor,
			url: `https://${HOST}${page}`,
			referrer: referrer === "own" ? `https://${HOST}/before` : referrer,
			group: "",
			country: "ES",
			device: "laptop",
			...(event !== undefined && { event: { type: "buy", micro: event, amount: 0, properties: {}, items: [] } }),
		};
		return { end, hit };
	});
});

/** A directory as after a kill, without the last writes of an orderly end; the events are elsewhere. */
async function killed(app: TestApp, dataDir: string, next: string): Promise<void> {
	await app.collector?.flush();
	cpSync(dataDir, next, { recursive: true });
	await app.close();
}

async function restarted(app: TestApp, { end, hit }: Step, events: LentEventStore): Promise<TestApp> {
	const dataDir = app.config.dataDir;
	if (end === "goes on") return app;
	const next = end === "stops" ? dataDir : newDirectory();
	if (end === "stops") await app.close();
	else await killed(app, dataDir, next);
	return testApp({ dataDir: next, events, now: new Date(hit.at).toISOString() });
}

/** A row as text, with its visit named by the moment of the first row of it. */
function linesOf(rows: readonly { session: string; kind: string; at: number; values: readonly unknown[] }[]): string[] {
	const begun = new Map<string, number>();
	for (const { session, kind, at } of rows) {
		if (kind !== "engaged") begun.set(session, Math.min(at, begun.get(session) ?? at));
	}
	return rows.map(({ session, kind, at, values }) => JSON.stringify([at, kind, begun.get(session), ...values])).sort();
}

const expectedLines = (facts: readonly Fact[]) =>
	linesOf(
		facts.map(({ session, kind, at, date, hour, labels, clid, counts }) => {
			const { path, landing_page, referrer_domain, utm_source, utm_medium, utm_campaign } = labels;
			const seen = [date, hour, kind === "engaged" ? landing_page : path, landing_page, referrer_domain];
			const campaign = [utm_source, utm_medium, utm_campaign, clid];
			return { session, kind, at, values: [...seen, ...campaign, counts.entrances, counts.engaged_entrances] };
		}),
	);

async function storedLines(app: TestApp): Promise<string[]> {
	await app.collector?.flush();
	const rows = await app.eventStore.query<Record<string, string | number>>({
		sql: `SELECT toString(session) AS visit, toString(kind) AS kind, toUnixTimestamp64Milli(ts) AS at, toString(date) AS date,
  hour, path, landing_path, referrer, utm_source, utm_medium, utm_campaign, clid, entrance, engaged FROM events`,
	});
	return linesOf(
		rows.map(({ visit, kind, at, ...values }) => {
			return { session: String(visit), kind: String(kind), at: Number(at), values: Object.values(values) };
		}),
	);
}

oracleTest("visits that restarts cut in two are stored as if there had been none", 2, streams, async (steps) => {
	const now = new Date(steps[0]?.hit.at ?? 0).toISOString();
	const events = await lendEventStore();
	let app = await testApp({ dataDir: newDirectory(), events, now });
	try {
		const owner = await signIn(app);
		await createSite(app, owner, { name: SITE, timezone: "America/New_York", domains: [HOST] });
		for (const step of steps) {
			app = await restarted(app, step, events);
			await send(app, step.hit);
		}
		assert.deepEqual(await storedLines(app), expectedLines(factsOfHits(steps.map(({ hit }) => hit))));
	} finally {
		await app.close();
		await events.giveBack();
	}
});
