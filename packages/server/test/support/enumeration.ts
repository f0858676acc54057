import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { insertUser, newUserRow } from "../../src/features/people/users/index.ts";
import { signIn } from "./accounts.ts";
import { freshAddress, provisionEnv, provisionKey } from "./provisioning.ts";
import { requestOf } from "./request-of.ts";
import { testApp } from "./test-app.ts";
import { password } from "./test-users.ts";

/** Kinds of addresses; all of them have the same length, so that answers can be compared byte by byte. */
export type AddressKind = "unknown" | "verified" | "waiting" | "passwordless" | "barred";

/** A request that may name any address and must not tell which of them are known. */
export interface Flow {
	readonly name: string;
	/** Addresses that nobody may tell apart; each is compared with the first. */
	readonly kinds: readonly [AddressKind, ...AddressKind[]];
	/** Passwords that are hashed for each address, whatever its kind. */
	readonly hashes: 0 | 1;
	/** The answers differ by contract. */
	readonly answersDiffer?: true;
	/** Statements of the first kind alone; all others are the same for each kind. */
	readonly ofFirst?: readonly string[];
	/** Statements of the other kinds alone. */
	readonly ofOthers?: readonly string[];
	readonly request: (email: string, owner: Owner) => Pick<InjectOptions, "url" | "payload" | "headers">;
}

export interface Owner {
	readonly slug: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly password: string;
}

const post = (url: string, payload: object, headers = {}) => ({ url: `/api/v1${url}`, payload, headers });
const provisioning = (email: string) => {
	const wish = { email, site_name: "Shop", accept_terms: true, domain: "shop.example" };
	return post("/provision", wish, { "x-provision-key": provisionKey });
};

/** Every route that takes the address of somebody else. */
export const flows: readonly Flow[] = [
	{
		name: "registration",
		kinds: ["unknown", "verified", "waiting", "barred"],
		hashes: 1,
		ofFirst: ["insert users", "insert audit_log"],
		request: (email) =>
			post("/auth/register", { email, name: "Somebody", password: "another horse 8 battery", accept_terms: true }),
	},
	{
		name: "sign-in with a wrong password",
		kinds: ["unknown", "verified", "waiting", "passwordless", "barred"],
		hashes: 1,
		request: (email) => post("/auth/token", { email, password: "wrong horse battery 9" }),
	},
	{
		name: "forgotten password",
		kinds: ["unknown", "verified", "waiting", "barred"],
		hashes: 0,
		request: (email) => post("/auth/forgot-password", { email }),
	},
	{
		name: "verification once more",
		kinds: ["unknown", "waiting", "verified", "barred"],
		hashes: 0,
		request: (email) => post("/email/resend-verification", { email }),
	},
	{ name: "refused provisioning", kinds: ["verified", "waiting", "barred"], hashes: 0, request: provisioning },
	{
		name: "provisioning",
		kinds: ["unknown", "verified"],
		hashes: 0,
		answersDiffer: true,
		// The site that was made is taken back.
		ofOthers: ["begin", "rollback"],
		request: provisioning,
	},
	{
		name: "change of the address",
		kinds: ["unknown", "verified", "waiting", "barred"],
		hashes: 1,
		request: (email, { headers, password }) => post("/users/me/email", { new_email: email, password }, headers),
	},
	{
		name: "invitation",
		kinds: ["unknown", "verified", "waiting"],
		hashes: 0,
		request: (email, { slug, headers }) => post(`/organizations/${slug}/invitations`, { email }, headers),
	},
];

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
