import type { LightMyRequestResponse } from "fastify";
import { requestOf } from "./request-of.ts";
import type { TestApp } from "./test-app.ts";

export const provisionEnv = {
	PROVISIONING_ENABLED: "true",
	PROVISION_KEYS: "prov_of_the_plugin_store:plugin-store, prov_of_the_wizard:wizard",
	PUBLIC_URL: "https://stats.example",
	RATE_LIMIT_ENABLED: "true",
};
export const provisionKey = "prov_of_the_plugin_store";

let lastAddress = 0;

/** A client address of its own, so that the limits of addresses stay out of the way. */
export function freshAddress(): string {
	lastAddress += 1;
	return `198.18.${lastAddress >> 8}.${lastAddress & 255}`;
}

/** Asks for a site to be set up; a field that is undefined is left out. */
export function provision(
	app: TestApp,
	body: Readonly<Record<string, unknown>> = {},
	{ key = provisionKey, ip = freshAddress() }: { key?: string | null; ip?: string } = {},
): Promise<LightMyRequestResponse> {
	const headers = { "x-forwarded-for": ip, ...(key === null ? {} : { "x-provision-key": key }) };
	const wish = { site_name: "Cat Shop", email: "cleo@example.com", accept_terms: true, ...body };
	return app.inject(requestOf("POST /provision", { headers, body: wish }));
}

/** Sends a body below `/api/v1/provision` from an address. */
export function postClaim(
	app: TestApp,
	path: "/claim" | "/claim/resend",
	body: object,
	ip: string = freshAddress(),
): Promise<LightMyRequestResponse> {
	return app.inject(requestOf(`POST /provision${path}`, { headers: { "x-forwarded-for": ip }, body }));
}

export const tokenOf = (link: string | undefined): string => new URL(link ?? "").search.replace(/^\?\w+=/, "");
