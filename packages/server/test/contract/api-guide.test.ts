import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { keyScopes } from "../../src/access/index.ts";
import { collectKey } from "../../src/composition/collector.ts";
import { systemActor } from "../../src/features/auditing/audit-log/index.ts";
import { issueToken } from "../../src/features/collecting/collect/index.ts";
import { createToken } from "../../src/features/people/api-tokens/index.ts";
import { createSite, signIn } from "../support/accounts.ts";
import { differenceFrom, giveStep, guideBlocks, stepsOf } from "../support/guide.ts";
import { sendHits, type TestHit } from "../support/hits.ts";
import { renewSession } from "../support/renew-session.ts";
import { testApp } from "../support/test-app.ts";

const guide = readFileSync(new URL("../../../../docs/api.md", import.meta.url), "utf8");
const steps = stepsOf(guideBlocks(guide), "docs/api.md");
/** Those of the key that the guide makes. */
const scopesOfGuide = /^\.\/footfall tokens create .*--scope (.+)$/m.exec(guide)?.[1]?.split(" ") ?? [];

const env = { PROVISIONING_ENABLED: "true", PROVISION_KEYS: "prov_of_the_guide:guide", REGISTRATION: "open" };
const app = await testApp({ now: "2026-11-20T22:55:00.000Z", env });
after(() => app.close());
const owner = await signIn(app, { email: "you@example.com", name: "You" });
await createSite(app, owner, { name: "Shop", timezone: "Europe/Madrid" });

const iPhone =
	"Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1";
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
const noHints = { "sec-ch-ua": "", "sec-ch-ua-mobile": "", "sec-ch-ua-platform": "" };

// The visits that the guide asks about: those of docs/metrics.md, somebody from a newsletter, and a crawler.
const ann = { ip: "203.0.113.1", userAgent: iPhone, headers: noHints };
const bob = { ip: "203.0.113.2", userAgent: firefox, headers: noHints };
const cleo = { ip: "203.0.113.3", timezone: "Europe/Paris" };
const googlebot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
const at = async (moment: string, path: string, more: Partial<TestHit>) => {
	app.clock.set(moment);
	await sendHits(app, [{ site: "shop", url: `https://shop.example${path}`, ...more }]);
};
const free = { event: "signup", isMicro: true, properties: { plan: "free" } };
await at("2026-11-20T22:55:00.000Z", "/", { ...ann, referrer: "https://www.google.com/" });
await at("2026-11-20T23:10:00.000Z", "/cart", ann);
const items = [
	{ sku: "mug", quantity: 2 },
	{ sku: "pen", quantity: 1 },
];
const properties = { coupon: "autumn", items };
await at("2026-11-20T23:12:00.000Z", "/done", { ...ann, event: "purchase", amount: 12.99, properties });
await at("2026-11-20T23:30:00.000Z", "/", bob);
await at("2026-11-21T09:00:00.000Z", "/sale?utm_source=news&utm_medium=email&utm_campaign=launch", cleo);
await at("2026-11-21T09:01:00.000Z", "/sale", { ...cleo, ...free });
await at("2026-11-21T10:00:00.000Z", "/", { ip: "203.0.113.4", userAgent: googlebot });
app.clock.set("2026-11-21T12:00:00.000Z");

const scopes = keyScopes.filter((scope) => scopesOfGuide.includes(scope));
const { value: key } = await createToken(
	app,
	{ userId: owner.userId, actor: systemActor },
	{ name: "reports", scopes, siteIds: null, expiresInDays: null },
);
const root = await app.address();
const variables: Record<string, string> = {
	ROOT: root,
	API: `${root}/api/v1`,
	KEY: key,
	TOKEN: (await renewSession(app, owner.userId)).authorization.replace("Bearer ", ""),
	PROVISION_KEY: "prov_of_the_guide",
	HIT_TOKEN: issueToken(collectKey(app.config.secretKey), "shop", app.clock.now()),
};

test("the guide shows as many requests as there are things to ask", () => {
	const others = steps.filter(({ command }) => !/^(curl|\.\/footfall|export) /.test(command));
	assert.deepEqual(others, []);
	assert.ok(steps.length >= 30, String(steps.length));
});

for (const step of steps.filter(({ command }) => command.startsWith("curl "))) {
	test(step.title, async () => void (await giveStep(step, variables)));
}

test("answers of the guide are compared strictly: values, fields and lengths", () => {
	assert.equal(differenceFrom({ a: [1, "x…"], "…": "…" }, { a: [1, "xyz"], b: 2 }), undefined);
	assert.equal(differenceFrom([1, "…"], [1, 2, 3]), undefined);
	assert.equal(differenceFrom({ a: 1 }, { a: 2 }), "answer.a is 2, shown 1");
	assert.equal(differenceFrom({ a: 1 }, { a: 1, b: 2 }), "answer has these fields left: b");
	assert.equal(differenceFrom({ a: 1, "…": "…" }, { a: 1 }), "answer has these fields left: ");
	assert.equal(differenceFrom([1], [1, 2]), "answer has 2 elements, shown 1");
	assert.equal(differenceFrom([1, "…"], [1]), "answer has 1 elements, shown 2");
	assert.equal(differenceFrom({ a: null }, { a: 0 }), "answer.a is 0, shown null");
});
