import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "kysely";
import { type AccessPeople, accessPeople, type Headers } from "../support/access-people.ts";
import { effects, isThere, type Trier, type Try } from "../support/effects.ts";
import { type TestApp, testApp } from "../support/test-app.ts";

let app: TestApp;
let everybody: AccessPeople;
let credentials: Readonly<Record<Trier, Headers>>;

before(async () => {
	app = await testApp();
	everybody = await accessPeople(app);
	credentials = {
		stranger: {},
		...everybody.sessions,
		key: everybody.keyWith(["stats:read", "sites:read", "accounts:read"]),
		"key of another site": everybody.keyOfOtherSite,
		app: everybody.apps.app,
	};
});
after(() => app.close());

const send = (headers: Headers, method: string, path: string, body?: object) =>
	app.inject({
		method: method as "POST",
		url: `/api/v1${path}`,
		headers: { ...headers },
		...(body !== undefined && { payload: body }),
	});

let users = 0;

/** A user without a password, made past the API, where many are needed. */
async function newUser(isMember: boolean): Promise<number> {
	users += 1;
	const { metadata } = app;
	const email = `made-${users}@example.com`;
	await sql`
		insert into users (email, name, role, is_active, email_verified_at, created_at, updated_at)
		values (${email}, 'Made', 'user', 1, 0, 0, 0)
	`.execute(metadata);
	const { rows } = await sql<{ id: number }>`select id from users where email = ${email}`.execute(metadata);
	const id = rows[0]?.id ?? assert.fail("The user was not made");
	if (!isMember) return id;
	await sql`
		insert into organization_members (organization_id, user_id, role, created_at)
		select organization_id, ${id}, 'member', 0 from sites where id = 'shop'
	`.execute(metadata);
	return id;
}

const tryOf = (n: number): Try => ({
	n,
	metadata: app.metadata,
	prepare: async (method, path, body) => {
		const response = await send(everybody.sessions["org owner"], method, path, body);
		assert.ok(response.statusCode < 300, `${method} ${path}: ${response.body}`);
		const answered = response.json();
		const data = answered.data ?? answered;
		return String(data.id ?? data.invitation_id);
	},
	member: () => newUser(true),
	loner: () => newUser(false),
});

for (const [what, { may, before: prepare, request, row, isGone = false }] of Object.entries(effects)) {
	test(`${what}, by those who may and by nobody else`, async () => {
		const did: string[] = [];
		for (const [at, [trier, headers]] of Object.entries(credentials).entries()) {
			const n = at + 1;
			const id = String(await prepare?.(tryOf(n)));
			assert.equal(await isThere(app.metadata, row(n, id)), isGone, `${trier}, before`);
			const [method, path, body] = request(n, id);
			const { statusCode } = await send(headers, method, path, body);
			const isDone = (await isThere(app.metadata, row(n, id))) !== isGone;
			assert.equal(
				statusCode < 300,
				isDone,
				`${trier}: ${statusCode}, though the effect ${isDone ? "is" : "is not"} there`,
			);
			if (isDone) did.push(trier);
		}
		assert.deepEqual(did.sort(), [...may].sort());
	});
}
