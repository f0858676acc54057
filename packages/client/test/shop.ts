import { systemActor } from "../../server/src/features/auditing/audit-log/index.ts";
import { createToken } from "../../server/src/features/people/api-tokens/index.ts";
import { createSite, signIn, signInAgain } from "../../server/test/support/accounts.ts";
import { sendHits, type TestHit } from "../../server/test/support/hits.ts";
import { type TestApp, testApp } from "../../server/test/support/test-app.ts";

/** The service with a shop whose visits are known one by one. */
export type Shop = Awaited<ReturnType<typeof openShop>>;

/** Opens the service at noon of 21 November 2026 on a shop with three visits of the day, one of the day before and one a week earlier. */
export async function openShop(env: Readonly<Record<string, string>> = {}) {
	const app = await testApp({ now: "2026-11-13T10:00:00.000Z", env });
	const ann = await signIn(app);
	await createSite(app, ann);
	await visit(app, "2026-11-13T10:00:00.000Z", [hit("/", { ip: "203.0.113.1", referrer: "https://www.google.com/" })]);
	await visit(app, "2026-11-20T10:00:00.000Z", [
		hit("/", { ip: "203.0.113.2", referrer: "https://www.google.com/" }),
		hit("/cart", { ip: "203.0.113.2" }),
	]);
	await visit(app, "2026-11-20T10:01:00.000Z", [hit("/cart", { ip: "203.0.113.2", event: "cart", isMicro: true })]);
	await visit(app, "2026-11-20T10:02:00.000Z", [hit("/done", { ip: "203.0.113.2", event: "purchase", amount: 12.99 })]);
	await visit(app, "2026-11-21T09:00:00.000Z", [
		hit("/sale?utm_source=news&utm_medium=email", { ip: "203.0.113.3" }),
		hit("/", { ip: "203.0.113.4" }),
		hit("/cart", { ip: "203.0.113.4", event: "cart", isMicro: true }),
		hit("/", { ip: "203.0.113.5" }),
	]);
	app.clock.set("2026-11-21T12:00:00.000Z");
	/** A key that reads reports and sites. */
	const { value: key } = await createToken(
		app,
		{ userId: ann.userId, actor: systemActor },
		{ name: "client", scopes: ["stats:read", "sites:read"], siteIds: null, expiresInDays: null },
	);
	const { headers } = await signInAgain(app, ann);
	/** The access token of the shop's owner. */
	const token = headers.authorization.replace("Bearer ", "");
	return { app, root: await app.address(), key, token };
}

const hit = (path: string, more: Partial<TestHit> = {}): TestHit => ({
	site: "shop",
	url: `https://shop.example${path}`,
	...more,
});

async function visit(app: TestApp, moment: string, hits: readonly TestHit[]): Promise<void> {
	app.clock.set(moment);
	await sendHits(app, hits);
}
