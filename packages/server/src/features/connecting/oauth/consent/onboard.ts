import { ServiceError } from "../../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { userActor } from "../../../auditing/audit-log/index.ts";
import { type Client, openSession, type RegisterDeps, register } from "../../../people/auth/index.ts";
import type { UserRow } from "../../../people/users/index.ts";
import { addSite, changeSites, normalizeDomain, type SiteDeps } from "../../../tenancy/sites/index.ts";
import { selectPendingRequest } from "../store.ts";
import { requestGone, requestHash } from "./decide.ts";

export interface OnboardingDeps extends RegisterDeps, SiteDeps {}

interface Onboarding {
	readonly requestId: string;
	readonly email: string;
	readonly name: string;
	readonly password: string;
	/** Name of a site to make; none is made without it. */
	readonly siteName: string | undefined;
	readonly domain: string | undefined;
	readonly acceptsTerms: boolean;
}

/**
 * Signs somebody up while the request of an app waits, with a site if it has a name. The session may decide on this request
 * and nothing else, until the address is confirmed. Undefined for a known address, which only gets a mail.
 * Throws `bad_request` for terms that were not accepted, `not_found` for a request that is not open, `forbidden` and
 * `validation_error` as `register` does, and `invalid_domain`.
 */
export async function onboard(deps: OnboardingDeps, input: Onboarding, client: Client) {
	if (!input.acceptsTerms) throw new ServiceError("bad_request", { message: "The terms must be accepted" });
	const boundRequest = requestHash(input.requestId);
	if ((await selectPendingRequest(deps.metadata, boundRequest, deps.clock.now())) === undefined) throw requestGone();
	// Before the address is looked at, so that a fault tells nothing of it.
	if (input.domain !== undefined && input.domain !== "") normalizeDomain(input.domain);
	const user = await register(deps, input, client.ip, {
		inTransaction: (work) => changeSites(deps, [], work),
		alongside: (trx, made) => addFirstSite({ ...deps, metadata: trx }, made, input, client.ip),
	});
	if (user === undefined) return undefined;
	const { secrets } = await openSession(deps, user, client, { boundRequest });
	return { userId: user.id, session: secrets };
}

async function addFirstSite(
	deps: Omit<SiteDeps, "sites"> & { readonly metadata: Metadata },
	user: UserRow,
	{ siteName, domain }: Onboarding,
	ip: string,
): Promise<void> {
	if (siteName === undefined || siteName.trim() === "") return;
	const creator = { userId: user.id, name: user.name, isSuperadmin: false, actor: userActor(user.id, ip) };
	const domains = domain === undefined || domain === "" ? [] : [domain];
	await addSite(deps, creator, { name: siteName, domains, timezone: "UTC", currency: "EUR", orgId: null });
}
