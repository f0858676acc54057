import assert from "node:assert/strict";
import type { LightMyRequestResponse } from "fastify";
import { tables } from "../../../migrations/metadata/tables/index.ts";
import { type AccountsApp, password, type SignedIn } from "../../../test/support/accounts-app.ts";
import { allowlistClient, OFFICE } from "../../../test/support/allowlist-client.ts";
import { auditTrail } from "../../../test/support/audit-trail.ts";
import { mailedLink } from "../../../test/support/page-client.ts";
import { postClaim, provision, provisionEnv, tokenOf } from "../../../test/support/provisioning.ts";
import { type Race, raceOnBothEngines, times } from "../../../test/support/races.ts";
import { createTeam, invitationCalls } from "../../../test/support/team.ts";

const race = (title: string, statuses: RegExp, begin: Race["begin"]): Race => ({ title, statuses, begin });

const fieldOf = (answers: readonly LightMyRequestResponse[], name: string) =>
	answers.map((answer) => answer.json().data[name]).sort();

/** An owner with the site shop. */
async function withShop(app: AccountsApp) {
	const ann = await app.user("Ann");
	await app.site(ann);
	return ann;
}

/** A list of a site's settings with two places left, and four requests for them. */
const limited = (
	title: string,
	fill: (db: ReturnType<typeof tables>) => { execute(): Promise<unknown> },
	add: (index: number) => readonly [route: string, body: object],
): Race =>
	race(title, /^201 201 409 409$/, async (app) => {
		const as = await withShop(app);
		await fill(tables(app.metadata)).execute();
		const requests = [1, 2, 3, 4].map(add).map(
			([route, body]) =>
				() =>
					app.call(route, { as, body }),
		);
		return {
			requests,
			check: async (answers) => {
				const refused = answers.find(({ statusCode }) => statusCode === 409);
				assert.equal(refused?.json().error.code, "conflict");
			},
		};
	});
const rows = <T extends object>(count: number, row: (index: number) => T) =>
	Array.from({ length: count }, (_, index) => ({ site_id: "shop", is_active: 1, created_at: 1, ...row(index) }));

const sites: readonly Race[] = [
	race("equal names give numbered slugs, in one personal organization", /^201 201 201$/, async (app) => {
		const as = await app.user("Ann");
		return {
			requests: times(3, () => app.call("POST /sites", { as, body: { name: "Shop" } })),
			check: async (answers) => {
				assert.deepEqual(fieldOf(answers, "id"), ["shop", "shop-2", "shop-3"]);
				const [{ slug, site_count }, ...more] = (await app.call("GET /organizations", { as })).json().data
					.organizations;
				assert.deepEqual([slug, site_count, more], ["ann", 3, []]);
			},
		};
	}),
	race("the plan's last site is created once", /^201 429$/, async (app) => {
		const { ann, setPlan } = await createTeam(app);
		await setPlan("growth");
		for (let at = 2; at < 9; at++) await app.site(ann, { name: "More" });
		return times(2, () => app.call("POST /sites", { as: ann, body: { name: "Last" } }));
	}),
	limited(
		"a site has at most 50 domains",
		(db) => db.insertInto("site_domains").values(rows(48, (n) => ({ domain: `d${n}.example` }))),
		(index) => ["POST /sites/shop/domains", { domain: `at-once-${index}.example` }],
	),
	limited(
		"a site has at most 100 UTM mappings",
		(db) =>
			db
				.insertInto("utm_mappings")
				.values(rows(98, (n) => ({ custom_param: `p${n}`, maps_to: "utm_source" as const }))),
		(index) => ["POST /sites/shop/utm-mappings", { custom_param: `at-once-${index}`, maps_to: "utm_source" }],
	),
	limited(
		"a site has at most 100 blocked addresses",
		(db) => db.insertInto("blocklist_entries").values(rows(98, (n) => ({ ip_or_cidr: `10.0.0.${n}`, reason: "" }))),
		(index) => ["POST /blocklist-ips?account_id=shop", { ip_or_cidr: `10.0.1.${index}` }],
	),
	race("an address is blocked once, in whichever form it is given", /^201 409$/, async (app) => {
		const as = await withShop(app);
		return ["10.0.0.1", "10.0.0.1/32"].map(
			(ip_or_cidr) => () => app.call("POST /blocklist-ips?account_id=shop", { as, body: { ip_or_cidr } }),
		);
	}),
	race("a pattern of an allowlist is added once", /^201 409$/, async (app) => {
		const as = await withShop(app);
		return times(2, () => app.call("POST /ip-allowlist/patterns?account_id=shop", { as, body: { pattern: OFFICE } }));
	}),
	race("of two patterns that cover the caller one stays", /^204 409$/, async (app) => {
		const { headers } = await withShop(app);
		const at = allowlistClient(app, { headers }, "shop");
		const ids: number[] = [];
		for (const pattern of ["203.0.113.0/24", "203.0.0.0/16"]) {
			ids.push((await at.call("POST /patterns", { pattern, pattern_type: "cidr" })).data.id);
		}
		await at.call("PUT /settings", { is_enabled: true });
		return ids.map((id) => () => {
			const url = `/api/v1/ip-allowlist/patterns/${id}?account_id=shop`;
			return app.inject({ method: "DELETE", url, headers, remoteAddress: OFFICE });
		});
	}),
	race("a user is added to a site once", /^201 409$/, async (app) => {
		const { ann, bob, cleo } = await createTeam(app);
		const add = (as: SignedIn, role: string) =>
			app.call("POST /sites/shop/users", { as, body: { user_id: cleo.id, role } });
		return [() => add(ann, "viewer"), () => add(bob, "editor")];
	}),
	race("of two provisions for one address one is served", /^200 409$/, async (app) => ({
		requests: times(2, () => provision(app, { email: "oli@example.com" })),
		check: async () => {
			const made = (await auditTrail(app, "site.created", "user.created")).map(({ action }) => action).sort();
			assert.deepEqual(made, ["site.created", "user.created"]);
		},
	})),
	race("of two claims with one token one succeeds", /^200 400$/, async (app) => {
		await provision(app, { email: "rita@example.com" });
		const token = tokenOf(`https://x${await mailedLink(app, "rita@example.com", "/claim")}`);
		return times(2, () => postClaim(app, "/claim", { token, password }));
	}),
];

const invite = (app: AccountsApp, as: SignedIn, email: string) =>
	app.call("POST /organizations/acme/invitations", { as, body: { email } });

/** Two owners of whom each takes one away: one of them stays. */
const lastOwner = (title: string, statuses: RegExp, target: (as: SignedIn, other: SignedIn) => SignedIn): Race =>
	race(title, statuses, async (app) => {
		const { ann, bob, cleo } = await createTeam(app);
		await app.call(`PATCH /organizations/acme/members/${cleo.id}`, { as: ann, body: { role: "owner" } });
		const remove = (as: SignedIn, { id }: SignedIn) => app.call(`DELETE /organizations/acme/members/${id}`, { as });
		return {
			requests: [() => remove(ann, target(ann, cleo)), () => remove(cleo, target(cleo, ann))],
			check: async () => {
				const { members } = (await app.call("GET /organizations/acme/members", { as: bob })).json().data;
				assert.equal(members.filter(({ role }: { role: string }) => role === "owner").length, 1);
			},
		};
	});

/** Two superadmins who do the same to each other: one of them stays one. */
const eachOther = (
	what: string,
	attack: (app: AccountsApp, id: number, as: SignedIn) => ReturnType<AccountsApp["call"]>,
): Race =>
	race(`two superadmins who take each other's ${what} leave one`, /^200 4\d\d$/, async (app) => {
		const [one, other] = [await app.user("Root", "superadmin"), await app.user("Other", "superadmin")];
		return {
			requests: [() => attack(app, one.id, other), () => attack(app, other.id, one)],
			check: async () => {
				const lists = await Promise.all([one, other].map((as) => app.call("GET /users", { as })));
				assert.equal(lists.filter(({ statusCode }) => statusCode === 200).length, 1);
			},
		};
	});

const organizations: readonly Race[] = [
	race("two requests of a user create one organization", /^201 409$/, async (app) => {
		const as = await app.user("Ann");
		return times(2, () => app.call("POST /organizations", { as, body: { name: "Acme" } }));
	}),
	race("equal names of two users get numbered slugs", /^201 201$/, async (app) => {
		const users = [await app.user("Ann"), await app.user("Bob")];
		return {
			requests: users.map((as) => () => app.call("POST /organizations", { as, body: { name: "Acme" } })),
			check: async (answers) => assert.deepEqual(fieldOf(answers, "slug"), ["acme", "acme-2"]),
		};
	}),
	lastOwner("of two owners who leave one stays", /^200 400$/, (as) => as),
	lastOwner("of two owners who remove each other one stays", /^200 404$/, (_, other) => other),
	race("an address is invited once", /^201 409$/, async (app) => {
		const { ann, bob } = await createTeam(app);
		return [ann, bob].map((as) => () => invite(app, as, "two@example.com"));
	}),
	race("the plan's last seat is given to one invitation", /^201 429$/, async (app) => {
		const { ann, setPlan } = await createTeam(app);
		await setPlan("growth");
		assert.equal((await invite(app, ann, "one@example.com")).statusCode, 201);
		return ["two", "three"].map((name) => () => invite(app, ann, `${name}@example.com`));
	}),
	race("an invitation makes one account", /^201 409$/, async (app) => {
		const { ann } = await createTeam(app);
		const { sent, accept } = invitationCalls(app, () => ann);
		const { token } = await sent({ email: "new@example.com" });
		return times(2, () => accept({ token }));
	}),
	race("an invitation is accepted once by a user", /^200 409$/, async (app) => {
		const { ann, stranger: as } = await createTeam(app);
		const { token } = await invitationCalls(app, () => ann).sent({ email: as.email });
		return times(2, () => app.call("POST /invitations/accept-existing", { as, body: { token } }));
	}),
	race("a superadmin creates a user of an address once", /^201 409$/, async (app) => {
		const as = await app.user("Root", "superadmin");
		const body = { email: "cleo@example.com", name: "Cleo", password };
		return times(2, () => app.call("POST /users", { as, body }));
	}),
	eachOther("rank", (app, id, as) => app.call(`PATCH /users/${id}`, { as, body: { role: "user" } })),
	eachOther("account", (app, id, as) => app.call(`DELETE /users/${id}`, { as })),
];

const env = { ...provisionEnv, RATE_LIMIT_ENABLED: "false" };
raceOnBothEngines("sites, organizations and their members at once", [...sites, ...organizations], env);
