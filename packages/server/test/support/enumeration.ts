import type { LightMyRequestResponse } from "fastify";
import { insertUser, newUserRow } from "../../src/features/people/users/index.ts";
import { signIn } from "./accounts.ts";
import type { AddressKind, Flow, Owner } from "./enumeration-flows.ts";
import { freshAddress, provisionEnv } from "./provisioning.ts";
import { requestOf } from "./request-of.ts";
import { testApp } from "./test-app.ts";
import { password } from "./test-users.ts";

export type EnumerationApp = Awaited<ReturnType<typeof enumerationApp>>;

/** A service with `count` addresses of each known kind, and without limits. */
export async function enumerationApp(count: number) {
	const app = await testApp({ env: { ...provisionEnv, RATE_LIMIT_ENABLED: "false", REGISTRATION: "open" } });
	const somebody = { email: "somebody@example.com", name: "Somebody", role: "user", password } as const;
	const verified = await newUserRow(somebody, app.clock.now());
	const kept = { verified, waiting: { ...verified, email_verified_at: null }, barred: { ...verified, is_active: 0 } };
	const rows = { ...kept, passwordless: { ...kept.waiting, password_hash: null } };
	await app.metadata.transaction().execute(async (trx) => {
		for (const [kind, row] of Object.entries(rows)) {
			for (let index = 0; index < count; index++) {
				await insertUser(trx, { ...row, email: addressOf(kind, index) });
			}
		}
	});
	const { headers } = await signIn(app, { email: "owner@example.com" });
	const made = await app.inject(requestOf("POST /organizations", { headers, body: { name: "Cats" } }));
	const owner: Owner = { slug: made.json().data.slug, headers, password };
	return { app, owner };
}

/** Unknown addresses become known in some flows, so each flow has its own. */
const addressOf = (kind: string, index: number, flow = ""): string =>
	`${(kind === "unknown" ? flow : kind).slice(0, 16).replaceAll(" ", "-").padEnd(16, "-")}${index + 10_000}@example.com`;

/** Asks a flow about an address of a kind, from an address that no limit has seen. */
export function askAbout({ app, owner }: EnumerationApp, flow: Flow, kind: AddressKind, index: number) {
	const { headers, ...request } = flow.request(addressOf(kind, index, flow.name), owner);
	return app.inject({ method: "POST", ...request, headers: { ...headers, "x-forwarded-for": freshAddress() } });
}

/** Status, headers and body without what differs between any two answers: identifiers, and the address that was asked about. */
export function comparable(response: LightMyRequestResponse): string {
	const { "x-request-id": _id, "content-length": _length, date: _date, ...headers } = response.headers;
	const body = response.body
		.replace(/"(request_id|timestamp|invitation_link)":"[^"]+"|"invitation_id":\d+/g, "")
		.replace(/[a-z-]{16}\d{5}@example\.com/g, "ADDRESS");
	return JSON.stringify([response.statusCode, headers, body]);
}
