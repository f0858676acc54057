import type { LightMyRequestResponse } from "fastify";
import { hashPassword, insertUser } from "../../src/features/people/users/index.ts";
import { signIn } from "./accounts.ts";
import { type AddressKind, addressKinds, type Flow, type Owner } from "./enumeration-flows.ts";
import { freshAddress, provisionEnv } from "./provisioning.ts";
import { type TestApp, testApp } from "./test-app.ts";
import { password } from "./test-users.ts";

export interface EnumerationApp {
	readonly app: TestApp;
	readonly owner: Owner;
}

/** A service with `count` addresses of each known kind, and without limits. */
export async function enumerationApp(count: number): Promise<EnumerationApp> {
	const app = await testApp({ env: { ...provisionEnv, RATE_LIMIT_ENABLED: "false", REGISTRATION: "open" } });
	const passwordHash = await hashPassword(password);
	const now = app.clock.now();
	await app.metadata.transaction().execute(async (trx) => {
		for (const kind of addressKinds.slice(1)) {
			for (let index = 0; index < count; index++) {
				await insertUser(trx, {
					email: addressOf(kind, index),
					name: "Somebody",
					role: "user",
					password_hash: kind === "passwordless" ? null : passwordHash,
					is_active: kind === "barred" ? 0 : 1,
					email_verified_at: kind === "waiting" || kind === "passwordless" ? null : now,
					two_factor_enabled_at: null,
					last_login_at: null,
					created_at: now,
					updated_at: now,
				});
			}
		}
	});
	const { headers } = await signIn(app, { email: "owner@example.com" });
	const options = { method: "POST", url: "/api/v1/organizations", headers, payload: { name: "Cats" } } as const;
	return { app, owner: { slug: (await app.inject(options)).json().data.slug, headers, password } };
}

/** Unknown addresses become known in some flows, so each flow has its own. */
const addressOf = (kind: AddressKind, index: number, flow = ""): string =>
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
		.replace(/"request_id":"[^"]+"/, "")
		.replace(/"timestamp":"[^"]+"/, "")
		.replace(/"invitation_id":\d+|"invitation_link":"[^"]+"/g, "")
		.replace(/[a-z-]{16}\d{5}@example\.com/g, "ADDRESS");
	return JSON.stringify([response.statusCode, headers, body]);
}
