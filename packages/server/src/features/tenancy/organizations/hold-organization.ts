import { type Caller, type Guard, type OrgRole, orgRoleReaches, roleRequired } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import {
	type Actor,
	type AuditEntry,
	actorOf,
	type Change,
	type ChangeDeps,
	changeAudited,
	recordAudit,
} from "../../auditing/audit-log/index.ts";
import { OrganizationParams } from "./describe-organizations.ts";
import { planOf, quotaExceeded } from "./plans.ts";
import {
	findOrganization,
	invitations,
	lockOrganization,
	type OrganizationRow,
	organizationMembers,
	roleIn,
} from "./store.ts";

/** Author of a change, from the request. */
export interface Requester {
	readonly caller: Caller;
	readonly ip: string;
}

/** An organization locked until the transaction ends. */
export interface HeldOrganization {
	readonly organization: OrganizationRow;
	/** Current role of the caller; a superadmin counts as an owner. */
	readonly role: OrgRole;
}

/**
 * Locks an organization until this transaction ends and looks at the caller's role again, as it may have changed since the
 * guard did. Throws `not_found` when the organization was deleted or the caller left it, `forbidden` for a lower role.
 */
async function holdOrganization(
	metadata: Metadata,
	organizationId: string,
	caller: Caller,
	least: OrgRole,
): Promise<HeldOrganization> {
	await lockOrganization(metadata, organizationId);
	const organization = await findOrganization(metadata, organizationId);
	const role = await roleOf(metadata, organizationId, caller);
	if (organization === undefined || organization.is_active !== 1 || role === undefined) {
		throw new ServiceError("not_found", "Organization not found");
	}
	if (!orgRoleReaches(role, least)) throw roleRequired(least);
	return { organization, role };
}

async function roleOf(metadata: Metadata, organizationId: string, caller: Caller): Promise<OrgRole | undefined> {
	if (caller.kind === "session" && caller.role === "superadmin") return "owner";
	return roleIn(metadata, organizationId, caller.userId);
}

interface HeldChange<T> {
	readonly answer: T;
	/** Undefined where nothing has changed, or was recorded already. */
	readonly entry?: Omit<AuditEntry, "organizationId"> | undefined;
}

/**
 * Makes a change to an organization in one transaction, in the name of somebody with at least this role there, and records it.
 * Throws as `holdOrganization`.
 */
export function changeOrganization<T = void>(
	{ metadata, clock }: ChangeDeps,
	by: Requester,
	{ organizationId, least = "admin" }: { readonly organizationId: string; readonly least?: OrgRole },
	change: (trx: Metadata, held: HeldOrganization, nowMs: number) => Promise<HeldChange<T>>,
): Promise<T> {
	const nowMs = clock.now();
	return metadata.transaction().execute(async (trx) => {
		const held = await holdOrganization(trx, organizationId, by.caller, least);
		const { answer, entry } = await change(trx, held, nowMs);
		if (entry !== undefined) await recordAudit(trx, actorOf(by), { ...entry, organizationId }, nowMs);
		return answer;
	});
}

/** Owners are made, changed and removed by owners only; throws `forbidden`. */
export function checkOwnerCeiling(callerRole: OrgRole, ...touched: OrgRole[]): void {
	if (touched.includes("owner") && callerRole !== "owner") throw roleRequired("owner");
}

interface RoleChange {
	readonly action: "member.created" | "member.updated" | "member.deleted";
	readonly organizationId: string;
	/** The site on which the role is; without one it is that in the organization. */
	readonly siteId?: string;
	readonly userId: number;
	/** Before and after; null = none. */
	readonly role: readonly [string | null, string | null];
}

/** Records that a user got, changed or lost a role. */
export function recordRole(metadata: Metadata, by: Requester, change: RoleChange, nowMs: number): Promise<void> {
	const { userId, role, ...entry } = change;
	return recordAudit(metadata, actorOf(by), { ...entry, resourceId: userId, details: { role } }, nowMs);
}

/** Records a change to an organization itself. */
export const recordOrganization = (
	metadata: Metadata,
	actor: Actor,
	{ id, ...entry }: Pick<AuditEntry, "action" | "details"> & { readonly id: string },
	nowMs: number,
): Promise<void> => recordAudit(metadata, actor, { ...entry, resourceId: id, organizationId: id }, nowMs);

/** Site of a change and its author. */
export interface SiteChange {
	readonly site: { readonly id: string; readonly organizationId: string };
	readonly actor: Actor;
}

/** The site of a request, and its caller as the author of a change. */
export const siteChangeOf = <Site>(request: Requester & { readonly site: Site }) => ({
	site: request.site,
	actor: actorOf(request),
});

/**
 * Makes a change to something of a site in one transaction, and records it there. Changes to the sites of one organization
 * wait for one another, so what a change has counted still holds at its end.
 */
export function changeInTurn<T>(
	{ metadata, clock }: ChangeDeps,
	{ site, actor }: SiteChange,
	change: Change<T>,
	inTransaction = (work: (trx: Metadata) => Promise<T>) => metadata.transaction().execute(work),
): Promise<T> {
	const nowMs = clock.now();
	return inTransaction(async (trx) => {
		await lockOrganization(trx, site.organizationId);
		return changeAudited(trx, { siteId: site.id, actor, nowMs }, change);
	});
}

/** The refusal of one more than a site may have, e.g. of `alert rules`. */
export const siteIsFull = (most: number, of: string) =>
	new ServiceError("conflict", `A site has at most ${most} ${of}`);

type OrganizationGuard = Extract<Guard, { readonly kind: "organization" }>;

const onOrganization = (guard: Omit<OrganizationGuard, "kind">) => {
	const ofKind: OrganizationGuard = { kind: "organization", ...guard };
	return { tags: ["Organizations"], params: OrganizationParams, guard: ofKind };
};

/** A route that reads one organization, for its members: a session, or a key with `accounts:read`. */
export const readingOrganization = onOrganization({ keyScope: "accounts:read", role: "member", write: false });

/** A route that reads one organization, and that keys do not open. */
export const readingOrganizationAs = (role: OrgRole) => onOrganization({ keyScope: null, role, write: false });

/** A route that writes to one organization: a session whose user has at least `role` there. */
export const writingOrganization = (role: OrgRole) => onOrganization({ keyScope: null, role, write: true });

/**
 * Throws `quota_exceeded` unless the plan has a seat for one more. Members have a seat, and so has each invitation that can
 * still be accepted, but that of `exceptEmail`. Call it while the organization is locked.
 */
export async function checkSeats(
	metadata: Metadata,
	organization: OrganizationRow,
	options: { readonly nowMs: number; readonly exceptEmail?: string },
): Promise<void> {
	const invited = await invitations.count(metadata, {
		organization_id: organization.id,
		is_active: 1,
		expires_at: { ">": options.nowMs },
		email: { "!=": options.exceptEmail ?? "" },
	});
	await checkMemberSeats(metadata, organization, options.nowMs, invited);
}

/** The same where `invited` seats are taken by invitations; the first to accept gets the last one. */
export async function checkMemberSeats(
	metadata: Metadata,
	organization: OrganizationRow,
	nowMs: number,
	invited = 0,
): Promise<void> {
	const { seats } = planOf(organization.plan_tier);
	if (
		seats !== null &&
		(await organizationMembers.count(metadata, { organization_id: organization.id })) + invited >= seats
	) {
		throw quotaExceeded(`The plan allows ${seats} members, open invitations included`, nowMs);
	}
}
