import type { InjectOptions } from "fastify";
import { provisionKey } from "./provisioning.ts";

/** Kinds of addresses; all of them have the same length, so that answers can be compared byte by byte. */
export const addressKinds = ["unknown", "verified", "waiting", "passwordless", "barred"] as const;
export type AddressKind = (typeof addressKinds)[number];

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

const byEmail = (url: string) => (email: string) => ({ url: `/api/v1${url}`, payload: { email } });
const provisioning = (email: string) => ({
	url: "/api/v1/provision",
	headers: { "x-provision-key": provisionKey },
	payload: { email, site_name: "Shop", accept_terms: true, domain: "shop.example" },
});

/** Every route that takes the address of somebody else. */
export const flows: readonly Flow[] = [
	{
		name: "registration",
		kinds: ["unknown", "verified", "waiting", "barred"],
		hashes: 1,
		ofFirst: ["insert users", "insert audit_log"],
		request: (email) => ({
			url: "/api/v1/auth/register",
			payload: { email, name: "Somebody", password: "another horse 8 battery", accept_terms: true },
		}),
	},
	{
		name: "sign-in with a wrong password",
		kinds: ["unknown", "verified", "waiting", "passwordless", "barred"],
		hashes: 1,
		request: (email) => ({ url: "/api/v1/auth/token", payload: { email, password: "wrong horse battery 9" } }),
	},
	{
		name: "forgotten password",
		kinds: ["unknown", "verified", "waiting", "barred"],
		hashes: 0,
		request: byEmail("/auth/forgot-password"),
	},
	{
		name: "verification once more",
		kinds: ["unknown", "waiting", "verified", "barred"],
		hashes: 0,
		request: byEmail("/email/resend-verification"),
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
		request: (email, { headers, password }) => ({
			url: "/api/v1/users/me/email",
			headers,
			payload: { new_email: email, password },
		}),
	},
	{
		name: "invitation",
		kinds: ["unknown", "verified", "waiting"],
		hashes: 0,
		request: (email, { slug, headers }) => ({
			url: `/api/v1/organizations/${slug}/invitations`,
			headers,
			payload: { email },
		}),
	},
];
