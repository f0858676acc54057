import { type Static, Type } from "typebox";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { formats } from "../../../platform/http/formats.ts";
import { given } from "../../../platform/lib/given.ts";
import { uuid } from "../../../platform/lib/ids.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { recordAudit, userActor } from "../../auditing/audit-log/index.ts";
import { addToken } from "../../people/api-tokens/index.ts";
import { issueOneTimeToken } from "../../people/one-time-tokens/index.ts";
import { findUserByEmail, insertUser, normalizeEmail, unclaimedUser } from "../../people/users/index.ts";
import { addSite, changeSites, normalizeDomain, normalizeTimezone, type SiteRow } from "../sites/index.ts";
import { type ProvisioningDeps, queueClaimMail } from "./claim-site.ts";
import { provisionedSites } from "./store.ts";

/** The plan of a provisioned organization, whatever the service's own default is. */
export const PROVISIONED_PLAN = "free";

export interface Provisioned {
	readonly site: SiteRow;
	readonly apiKey: string;
	/** Has the claim mail sent again; does not claim. */
	readonly resendToken: string;
}

interface Source {
	readonly channel: string;
	readonly ip: string;
}

/** Top-level domains that no mail reaches (RFC 6761). */
const unreachable = /\.(invalid|localhost)$/;

/**
 * Makes a user without a password, a personal organization, the site and its read-only key, and mails key and claim link:
 * all of it or nothing. An address that is known or barred is refused with `provision_unavailable`, after the same work
 * done for a placeholder and rolled back, so that the response time reveals nothing.
 */
export async function provisionSite(
	deps: ProvisioningDeps,
	input: ProvisionInput,
	source: Source,
): Promise<Provisioned> {
	const email = normalizeEmail(input.email);
	try {
		return await changeSites(deps, [], async (trx) => {
			const isKnown = (await findUserByEmail(trx, email)) !== undefined;
			const isRefused = isKnown || unreachable.test(email);
			const provisioned = await setUp(deps, trx, { ...input, email: isRefused ? standIn() : email }, source);
			if (isRefused) throw new ServiceError("provision_unavailable");
			return provisioned;
		});
	} catch (error) {
		if (!isRefusal(error)) throw error;
		// Reaching the disk and reading a site again take their time in the other case.
		await changeSites(deps, [NO_SITE], async () => undefined);
		throw new ServiceError("provision_unavailable");
	}
}

/** No slug looks like this. */
const NO_SITE = "-";

/** Somebody else may have taken the address between the look and the insertion. */
const isRefusal = (error: unknown): boolean =>
	error instanceof ServiceError && (error.code === "provision_unavailable" || error.code === "duplicate_entry");

const standIn = () => `${uuid()}@nobody.invalid`;

async function setUp(
	deps: ProvisioningDeps,
	trx: Metadata,
	input: ProvisionInput,
	{ channel, ip }: Source,
): Promise<Provisioned> {
	const now = deps.clock.now();
	const within = { ...deps, metadata: trx };
	const { site_name: siteName, email, install_source: installSource = null } = input;
	const user = await insertUser(trx, unclaimedUser(email, input.name ?? siteName, now));
	const actor = userActor(user.id, ip);
	const creator = { userId: user.id, name: user.name, isSuperadmin: false, actor };
	const site = await addSite({ ...within, defaultPlan: PROVISIONED_PLAN }, creator, {
		name: siteName,
		domains: input.domain === undefined ? [] : [input.domain],
		timezone: input.timezone ?? "UTC",
		currency: "EUR",
		orgId: null,
	});
	await provisionedSites.insert(trx, {
		site_id: site.id,
		user_id: user.id,
		channel,
		install_source: installSource,
		created_at: now,
	});
	const { value: apiKey } = await addToken(
		within,
		{ userId: user.id, actor },
		{
			name: `Provisioned by ${channel}`,
			scopes: ["stats:read", "sites:read"],
			siteIds: [site.id],
			expiresInDays: null,
		},
	);
	const details = { channel, install_source: installSource, site_id: site.id };
	await recordAudit(trx, actor, { action: "user.created", resourceId: user.id, siteId: site.id, details }, now);
	const { token: resendToken } = await issueOneTimeToken(trx, "provision_claim_resend", user.id, now);
	await queueClaimMail(deps, trx, { userId: user.id, email, siteId: site.id, apiKey });
	return { site, apiKey, resendToken };
}

export const ProvisionBody = Type.Object({
	site_name: Type.String({ minLength: 1, maxLength: 255 }),
	email: Type.String({ format: "email" }),
	accept_terms: Type.Literal(true),
	domain: Type.Optional(Type.String({ maxLength: 255, description: "Host that may send hits, with its subdomains" })),
	name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
	install_source: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
	timezone: Type.Optional(Type.String({ maxLength: 64, description: "IANA zone; UTC when omitted" })),
});
type ProvisionInput = Static<typeof ProvisionBody>;

type Fields = Readonly<Record<string, unknown>>;

const CONTROL = /\p{Cc}/u;

/**
 * Checks the body of `POST /provision` in the promised order, each fault with its own code.
 * Throws `bad_request` (terms), `invalid_domain`, `invalid_timezone` and `invalid_input` with the field's name.
 */
export function readProvisionBody(body: unknown): ProvisionInput {
	const fields = isRecord(body) ? body : {};
	if (fields.accept_terms !== true) throw new ServiceError("bad_request", "accept_terms must be true");
	const host = shortText(fields.domain, 255, "invalid_domain");
	const domain = host === undefined ? undefined : normalizeDomain(host);
	const zone = shortText(fields.timezone, 64, "invalid_timezone");
	const timezone = zone === undefined ? undefined : normalizeTimezone(zone.trim());
	const siteName = textOf(fields, "site_name", 255);
	if (siteName === undefined) throw invalid("site_name", "is required", "missing");
	const email = emailOf(fields);
	const name = textOf(fields, "name", 255);
	const installSource = textOf(fields, "install_source", 64);
	const optional = { domain, name, install_source: installSource, timezone };
	const named = given(optional, ["domain", "name", "install_source", "timezone"]) as Partial<ProvisionInput>;
	return { site_name: siteName, email, accept_terms: true, ...named };
}

const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null;

function shortText(value: unknown, max: number, code: "invalid_domain" | "invalid_timezone"): string | undefined {
	if (isAbsent(value)) return undefined;
	if (typeof value !== "string" || value.length > max) throw new ServiceError(code);
	return value;
}

/** A text of 1 to `max` characters; an optional one may be absent or null. */
function textOf(fields: Fields, name: string, max: number): string | undefined {
	const value = fields[name];
	if (isAbsent(value)) return undefined;
	if (typeof value !== "string") throw invalid(name, "must be a text", "string_type");
	const text = value.trim();
	if (text === "" || text.length > max) throw invalid(name, `must have 1 to ${max} characters`, "length");
	if (CONTROL.test(text)) throw invalid(name, "must not hold control characters", "pattern");
	return text;
}

function emailOf(fields: Fields): string {
	const email = textOf(fields, "email", 254);
	if (email === undefined) throw invalid("email", "is required", "missing");
	if (!formats.email(email)) throw invalid("email", "must be an email address", "format");
	return email;
}

const invalid = (field: string, message: string, type: string) =>
	new ServiceError("invalid_input", { detail: [{ field: `body.${field}`, message, type }] });
