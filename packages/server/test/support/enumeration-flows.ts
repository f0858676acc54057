import type { InjectOptions } from "fastify";
import { provisionKey } from "./provisioning.ts";

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
