import assert from "node:assert/strict";
import type { LightMyRequestResponse } from "fastify";
import { tables } from "../../../migrations/metadata/tables/index.ts";
import { type AccountsApp, password, type SignedIn } from "../../../test/support/accounts-app.ts";
import { allowlistClient, OFFICE } from "../../../test/support/allowlist-client.ts";
import { mailbox } from "../../../test/support/mailbox.ts";
import { pageClient } from "../../../test/support/page-client.ts";
import { type Race, raceOnBothEngines, times } from "../../../test/support/races.ts";
import { createTeam } from "../../../test/support/team.ts";

const fieldOf = (answers: readonly LightMyRequestResponse[], name: string) =>
	answers.map((answer) => answer.json().data[name]).sort();

async function mailedLink(app: AccountsApp, address: string): Promise<URL> {
	const links = (await mailbox(app).to(address)).flatMap((mail) => mail.links);
	return new URL(links.findLast((link) => link.includes("token=")) ?? "");
}

/** An owner with the site shop. */
async function withShop(app: AccountsApp) {
	const ann = await app.user("Ann");
	await app.site(ann);
	return ann;
}

/** The same form sent by two browsers that opened one link. */
async function twoBrowsers(app: AccountsApp, link: URL, fields: Readonly<Record<string, string>>) {
	const browsers = [pageClient(app.inject), pageClient(app.inject)];
	for (const browser of browsers) await browser.open(link.pathname + link.search);
	return { requests: browsers.map((browser) => () => browser.submit(link.pathname, fields)) };
}

/** Two superadmins who do the same to each other: one of them stays one. */
const eachOther = (
	what: string,
	attack: (app: AccountsApp, target: SignedIn, by: SignedIn) => ReturnType<AccountsApp["call"]>,
): Race => ({
	title: `two superadmins who take each other's ${what} leave one`,
	begin: async (app) => {
		const both = [await app.user("Root", "superadmin"), await app.user("Other", "superadmin")] as const;
		return {
			requests: [() => attack(app, both[0], both[1]), () => attack(app, both[1], both[0])],
			check: async () => {
				const lists = await Promise.all(both.map((as) => app.call("GET /users", { as })));
				assert.equal(lists.filter(({ statusCode }) => statusCode === 200).length, 1);
			},
		};
	},
	statuses: /^200 4\d\d$/,
});

/** A list of a site's settings with two places left, and four requests for them. */
const limited = (
	title: string,
	fill: (db: ReturnType<typeof tables>) => Promise<unknown>,
	add: (index: number) => readonly [route: string, body: object],
): Race => ({
	title,
	begin: async (app) => {
		const as = await withShop(app);
		await fill(tables(app.metadata));
		const send = (index: number) => {
			const [route, body] = add(index);
			return app.call(route, { as, body });
		};
		return {
			requests: [1, 2, 3, 4].map((index) => () => send(index)),
			check: async (answers) => {
				const refused = answers.find(({ statusCode }) => statusCode === 409);
				assert.equal(refused?.json().error.code, "conflict");
			},
		};
	},
	statuses: /^201 201 409 409$/,
});
const rows = <T extends object>(count: number, row: (index: number) => T) =>
	Array.from({ length: count }, (_, index) => ({ site_id: "shop", is_active: 1, created_at: 1, ...row(index) }));

raceOnBothEngines("sites at once", [
	{
		title: "equal names give numbered slugs",
		begin: async (app) => {
			const as = await app.user("Ann");
			return {
				requests: times(3, () => app.call("POST /sites", { as, body: { name: "Shop" } })),
				check: async (answers) => assert.deepEqual(fieldOf(answers, "id"), ["shop", "shop-2", "shop-3"]),
			};
		},
		statuses: /^201 201 201$/,
	},
	{
		title: "two first sites share one personal organization",
		begin: async (app) => {
			const as = await app.user("Ann");
			return {
				requests: ["Shop", "Blog"].map((name) => () => app.call("POST /sites", { as, body: { name } })),
				check: async () => {
					const { organizations } = (await app.call("GET /organizations", { as })).json().data;
					assert.deepEqual(
						organizations.map((one: { slug: string; site_count: number }) => [one.slug, one.site_count]),
						[["ann", 2]],
					);
				},
			};
		},
		statuses: /^201 201$/,
	},
	{
		title: "the plan's last site is created once",
		begin: async (app) => {
			const team = await createTeam(app);
			await team.setPlan("growth");
			for (let at = 2; at < 9; at++) await app.site(team.ann, { name: "More" });
			return { requests: times(2, () => app.call("POST /sites", { as: team.ann, body: { name: "Last" } })) };
		},
		statuses: /^201 429$/,
	},
	limited(
		"a site has at most 50 domains",
		(db) =>
			db
				.insertInto("site_domains")
				.values(rows(48, (n) => ({ domain: `d${n}.example` })))
				.execute(),
		(index) => ["POST /sites/shop/domains", { domain: `at-once-${index}.example` }],
	),
	limited(
		"a site has at most 100 UTM mappings",
		(db) =>
			db
				.insertInto("utm_mappings")
				.values(rows(98, (n) => ({ custom_param: `p${n}`, maps_to: "utm_source" as const })))
				.execute(),
		(index) => ["POST /sites/shop/utm-mappings", { custom_param: `at-once-${index}`, maps_to: "utm_source" }],
	),
	limited(
		"a site has at most 100 blocked addresses",
		(db) =>
			db
				.insertInto("blocklist_entries")
				.values(rows(98, (n) => ({ ip_or_cidr: `10.0.0.${n}`, reason: "" })))
				.execute(),
		(index) => ["POST /blocklist-ips?account_id=shop", { ip_or_cidr: `10.0.1.${index}` }],
	),
	{
		title: "an address is blocked once, in whichever form it is given",
		begin: async (app) => {
			const as = await withShop(app);
			const block = (ip_or_cidr: string) =>
				app.call("POST /blocklist-ips?account_id=shop", { as, body: { ip_or_cidr } });
			return { requests: ["10.0.0.1", "10.0.0.1/32"].map((address) => () => block(address)) };
		},
		statuses: /^201 409$/,
	},
	{
		title: "a pattern of an allowlist is added once",
		begin: async (app) => {
			const as = await withShop(app);
			const body = { pattern: OFFICE };
			return { requests: times(2, () => app.call("POST /ip-allowlist/patterns?account_id=shop", { as, body })) };
		},
		statuses: /^201 409$/,
	},
	{
		title: "of two patterns that cover the caller one stays",
		begin: async (app) => {
			const as = await withShop(app);
			const at = allowlistClient(app, as, "shop");
			const ids: number[] = [];
			for (const pattern of ["203.0.113.0/24", "203.0.0.0/16"]) {
				ids.push((await at.call("POST /patterns", { pattern, pattern_type: "cidr" })).data.id);
			}
			await at.call("PUT /settings", { is_enabled: true });
			const remove = (id: number) =>
				app.inject({
					method: "DELETE",
					url: `/api/v1/ip-allowlist/patterns/${id}?account_id=shop`,
					headers: as.headers,
					remoteAddress: OFFICE,
				});
			return { requests: ids.map((id) => () => remove(id)) };
		},
		statuses: /^204 409$/,
	},
	{
		title: "a user is added to a site once",
		begin: async (app) => {
			const { ann, bob, cleo } = await createTeam(app);
			const add = (as: SignedIn, role: string) =>
				app.call("POST /sites/shop/users", { as, body: { user_id: cleo.id, role } });
			return { requests: [() => add(ann, "viewer"), () => add(bob, "editor")] };
		},
		statuses: /^201 409$/,
	},
]);

raceOnBothEngines("organizations and their members at once", [
	{
		title: "two requests of a user create one organization",
		begin: async (app) => {
			const as = await app.user("Ann");
			return { requests: times(2, () => app.call("POST /organizations", { as, body: { name: "Acme" } })) };
		},
		statuses: /^201 409$/,
	},
	{
		title: "equal names of two users get numbered slugs",
		begin: async (app) => {
			const users = [await app.user("Ann"), await app.user("Bob")];
			return {
				requests: users.map((as) => () => app.call("POST /organizations", { as, body: { name: "Acme" } })),
				check: async (answers) => assert.deepEqual(fieldOf(answers, "slug"), ["acme", "acme-2"]),
			};
		},
		statuses: /^201 201$/,
	},
	{
		title: "of two owners who leave one stays",
		begin: async (app) => {
			const { ann, bob, cleo } = await createTeam(app);
			await app.call(`PATCH /organizations/acme/members/${cleo.id}`, { as: ann, body: { role: "owner" } });
			return {
				requests: [ann, cleo].map((as) => () => app.call(`DELETE /organizations/acme/members/${as.id}`, { as })),
				check: async () => assert.equal(await owners(app, bob), 1),
			};
		},
		statuses: /^200 400$/,
	},
	{
		title: "of two owners who remove each other one stays",
		begin: async (app) => {
			const { ann, bob, cleo } = await createTeam(app);
			await app.call(`PATCH /organizations/acme/members/${cleo.id}`, { as: ann, body: { role: "owner" } });
			const remove = (as: SignedIn, user: SignedIn) =>
				app.call(`DELETE /organizations/acme/members/${user.id}`, { as });
			return {
				requests: [() => remove(ann, cleo), () => remove(cleo, ann)],
				check: async () => assert.equal(await owners(app, bob), 1),
			};
		},
		statuses: /^200 404$/,
	},
	{
		title: "an address is invited once",
		begin: async (app) => {
			const { ann, bob } = await createTeam(app);
			const body = { email: "two@example.com" };
			return {
				requests: [ann, bob].map((as) => () => app.call("POST /organizations/acme/invitations", { as, body })),
			};
		},
		statuses: /^201 409$/,
	},
	{
		title: "the plan's last seat is given to one invitation",
		begin: async (app) => {
			const { ann, setPlan } = await createTeam(app);
			await setPlan("growth");
			const invite = (name: string) =>
				app.call("POST /organizations/acme/invitations", { as: ann, body: { email: `${name}@example.com` } });
			assert.equal((await invite("one")).statusCode, 201);
			return { requests: [() => invite("two"), () => invite("three")] };
		},
		statuses: /^201 429$/,
	},
	{
		title: "an invitation makes one account",
		begin: async (app) => {
			const { ann } = await createTeam(app);
			await app.call("POST /organizations/acme/invitations", { as: ann, body: { email: "new@example.com" } });
			const token = (await mailedLink(app, "new@example.com")).searchParams.get("token");
			const body = { token, name: "New", password };
			return { requests: times(2, () => app.call("POST /invitations/accept", { body })) };
		},
		statuses: /^201 409$/,
	},
	{
		title: "an invitation is accepted once by a user",
		begin: async (app) => {
			const { ann, stranger: as } = await createTeam(app);
			await app.call("POST /organizations/acme/invitations", { as: ann, body: { email: as.email } });
			const body = { token: (await mailedLink(app, as.email)).searchParams.get("token") };
			return { requests: times(2, () => app.call("POST /invitations/accept-existing", { as, body })) };
		},
		statuses: /^200 409$/,
	},
	{
		title: "a superadmin creates a user of an address once",
		begin: async (app) => {
			const as = await app.user("Root", "superadmin");
			const body = { email: "cleo@example.com", name: "Cleo", password };
			return { requests: times(2, () => app.call("POST /users", { as, body })) };
		},
		statuses: /^201 409$/,
	},
	eachOther("rank", (app, { id }, as) => app.call(`PATCH /users/${id}`, { as, body: { role: "user" } })),
	eachOther("account", (app, { id }, as) => app.call(`DELETE /users/${id}`, { as })),
]);

const owners = async (app: AccountsApp, as: SignedIn): Promise<number> =>
	(await app.call("GET /organizations/acme/members", { as }))
		.json()
		.data.members.filter(({ role }: { role: string }) => role === "owner").length;

raceOnBothEngines("forms of mailed links at once", [
	{
		title: "of two who confirm an address one is signed in",
		begin: async (app) => {
			const body = { email: "ann@example.com", name: "Ann", password, accept_terms: true };
			await app.call("POST /auth/register", { body });
			const link = await mailedLink(app, body.email);
			return {
				...(await twoBrowsers(app, link, { password })),
				check: async (answers) => {
					const signedIn = answers.filter(({ cookies }) => cookies.some(({ name }) => name === "svc_access_token"));
					assert.equal(signedIn.length, 1);
				},
			};
		},
		statuses: /^200 400$/,
	},
	{
		title: "of two who choose a new password one sets it",
		begin: async (app) => {
			await app.user("Ann");
			await app.call("POST /auth/forgot-password", { body: { email: "ann@example.com" } });
			const link = await mailedLink(app, "ann@example.com");
			return twoBrowsers(app, link, { new_password: "another horse and other staples" });
		},
		statuses: /^200 (400|409)$/,
	},
	{
		title: "of two who accept an invitation one makes the account",
		begin: async (app) => {
			const { ann } = await createTeam(app);
			await app.call("POST /organizations/acme/invitations", { as: ann, body: { email: "new@example.com" } });
			return twoBrowsers(app, await mailedLink(app, "new@example.com"), { name: "New", password });
		},
		statuses: /^200 409$/,
	},
]);
