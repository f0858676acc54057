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
	/** True for flows that hash a password, whose tries take long. */
	readonly hashes: boolean;
	/** Groups whose answers differ by contract, and only their times are compared. */
	readonly answersDiffer?: true;
	readonly request: (email: string, owner: Owner) => Pick<InjectOptions, "url" | "payload" | "headers">;
}

/** A signed-in owner of an organization. */
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
		hashes: true,
		request: (email) => ({
			url: "/api/v1/auth/register",
			payload: { email, name: "Somebody", password: "another horse 8 battery", accept_terms: true },
		}),
	},
	{
		name: "sign-in with a wrong password",
		kinds: ["unknown", "verified", "waiting", "passwordless", "barred"],
		hashes: true,
		request: (email) => ({ url: "/api/v1/auth/token", payload: { email, password: "wrong horse battery 9" } }),
	},
	{
		name: "forgotten password",
		kinds: ["unknown", "verified", "waiting", "barred"],
		hashes: false,
		request: byEmail("/auth/forgot-password"),
	},
	{
		name: "verification once more",
		kinds: ["unknown", "waiting", "verified", "barred"],
		hashes: false,
		request: byEmail("/email/resend-verification"),
	},
	{ name: "refused provisioning", kinds: ["verified", "waiting", "barred"], hashes: false, request: provisioning },
	{
		name: "provisioning",
		kinds: ["unknown", "verified"],
		hashes: false,
		answersDiffer: true,
		request: provisioning,
	},
	{
		name: "change of the address",
		kinds: ["unknown", "verified", "waiting", "barred"],
		hashes: true,
		request: (email, { headers, password }) => ({
			url: "/api/v1/users/me/email",
			headers,
			payload: { new_email: email, password },
		}),
	},
	{
		name: "invitation",
		kinds: ["unknown", "verified", "waiting"],
		hashes: false,
		request: (email, { slug, headers }) => ({
			url: `/api/v1/organizations/${slug}/invitations`,
			headers,
			payload: { email },
		}),
	},
];
