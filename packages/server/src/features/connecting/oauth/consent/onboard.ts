import { type Static, Type } from "typebox";
import { ServiceError } from "../../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { userActor } from "../../../auditing/audit-log/index.ts";
import { type Client, openSession, RegisterBody, type RegisterDeps, register } from "../../../people/auth/index.ts";
import type { UserRow } from "../../../people/users/index.ts";
import { addSite, changeSites, normalizeDomain, type SiteDeps } from "../../../tenancy/sites/index.ts";
import { findRequest, requestGone, requestHash } from "./decide.ts";

export interface OnboardingDeps extends RegisterDeps, SiteDeps {}

export const OnboardingBody = Type.Object({
	request_id: Type.String({ minLength: 1, maxLength: 200 }),
	...RegisterBody.properties,
	site_name: Type.Optional(Type.String({ maxLength: 255, description: "Creates a site when given" })),
	domain: Type.Optional(Type.String({ maxLength: 255 })),
});
type Onboarding = Static<typeof OnboardingBody>;

/**
 * Signs somebody up while the request of an app waits, with a site if it has a name. The session may decide on this request
 * and nothing else, until the address is confirmed. Undefined for a known address, which only gets a mail.
 * Throws `bad_request` for terms that were not accepted, `not_found` for a request that is not open, `forbidden` and
 * `validation_error` as `register` does, and `invalid_domain`.
 */
export async function onboard(deps: OnboardingDeps, input: Onboarding, client: Client) {
	if (!input.accept_terms) throw new ServiceError("bad_request", { message: "The terms must be accepted" });
	if ((await findRequest(deps, input.request_id)) === undefined) throw requestGone();
	// Before the address is looked at, so that a fault tells nothing of it.
	if (input.domain !== undefined && input.domain !== "") normalizeDomain(input.domain);
	const user = await register(deps, input, client.ip, {
		inTransaction: (work) => changeSites(deps, [], work),
		alongside: (trx, made) => addFirstSite({ ...deps, metadata: trx }, made, input, client.ip),
	});
	if (user === undefined) return undefined;
	const { secrets } = await openSession(deps, user, client, { boundRequest: requestHash(input.request_id) });
	return { userId: user.id, session: secrets };
}

async function addFirstSite(
	deps: Omit<SiteDeps, "sites"> & { readonly metadata: Metadata },
	user: UserRow,
	{ site_name: siteName, domain }: Onboarding,
	ip: string,
): Promise<void> {
	if (siteName === undefined || siteName.trim() === "") return;
	const creator = { userId: user.id, name: user.name, isSuperadmin: false, actor: userActor(user.id, ip) };
	const domains = domain === undefined || domain === "" ? [] : [domain];
	await addSite(deps, creator, { name: siteName, domains, timezone: "UTC", currency: "EUR", orgId: null });
}
