import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type PlanTier, planOf } from "../organizations/index.ts";
import { readBlockedAddresses } from "./blocked-addresses.ts";
import type { SiteDirectory, SiteFacts, UtmMapping } from "./site-facts.ts";
import { siteRevision, siteTables } from "./store.ts";

const CHECK_INTERVAL_MS = 5000;

/** A site directory with its lifetime. */
export interface RunningSiteDirectory extends SiteDirectory {
	/** Reads the sites again when any process has changed one; a timer calls it every five seconds. */
	check(): Promise<void>;
	/** Ends the timer. */
	stop(): void;
}

interface SiteDirectoryDeps {
	readonly metadata: Metadata;
	/** Told when a check fails; the sites read before stay in use. */
	readonly onError?: (error: unknown) => void;
}

/** Reads all sites and keeps them fresh: at once after `refresh`, within five seconds after a change in another process. */
export async function createSiteDirectory(deps: SiteDirectoryDeps): Promise<RunningSiteDirectory> {
	let sites: ReadonlyMap<string, SiteFacts> = new Map();
	let byOrganization: ReadonlyMap<string, readonly SiteFacts[]> = new Map();
	let revision = -1;
	let tail: Promise<void> = Promise.resolve();

	async function load(): Promise<void> {
		// The count is read first: a change between the two readings is then found by the next check.
		const seen = await siteRevision(deps.metadata);
		sites = await readSites(deps.metadata);
		byOrganization = Map.groupBy(sites.values(), ({ organizationId }) => organizationId);
		revision = seen;
	}
	/** One reading at a time; each begins after the change that asked for it. */
	function refresh(): Promise<void> {
		const next = tail.then(load);
		tail = next.catch(() => undefined);
		return next;
	}
	async function check(): Promise<void> {
		if ((await siteRevision(deps.metadata)) !== revision) await refresh();
	}

	await refresh();
	const timer = setInterval(() => check().catch((error: unknown) => deps.onError?.(error)), CHECK_INTERVAL_MS);
	timer.unref();
	return {
		get: (id) => sites.get(id),
		ofOrganization: (organizationId) => byOrganization.get(organizationId) ?? [],
		refresh,
		check,
		stop: () => clearInterval(timer),
	};
}

type FactTables = { organizations: { id: string; is_active: number; plan_tier: PlanTier } };

async function readSites(metadata: Metadata): Promise<ReadonlyMap<string, SiteFacts>> {
	const db = siteTables(metadata);
	const rows = await db
		.withTables<FactTables>()
		.selectFrom("sites")
		.innerJoin("organizations", "organizations.id", "sites.organization_id")
		.selectAll("sites")
		.select(["organizations.plan_tier", "organizations.is_active as organization_is_active"])
		.execute();
	const domains = await db
		.selectFrom("site_domains")
		.select(["site_id", "domain"])
		.where("is_active", "=", 1)
		.orderBy("id")
		.execute();
	const mappings = await db
		.selectFrom("utm_mappings")
		.select(["site_id", "custom_param", "maps_to"])
		.where("is_active", "=", 1)
		.orderBy("id")
		.execute();
	const blockedOf = await readBlockedAddresses(metadata);
	const domainsOf = Map.groupBy(domains, ({ site_id }) => site_id);
	const mappingsOf = Map.groupBy(mappings, ({ site_id }) => site_id);
	return new Map(
		rows.map((row): [string, SiteFacts] => [
			row.id,
			{
				id: row.id,
				organizationId: row.organization_id,
				name: row.name,
				timezone: row.timezone,
				isActive: row.is_active === 1 && row.organization_is_active === 1,
				botThreshold: row.bot_threshold,
				domains: (domainsOf.get(row.id) ?? []).map(({ domain }) => domain),
				utmMappings: (mappingsOf.get(row.id) ?? []).map(
					({ custom_param, maps_to }): UtmMapping => ({ customParam: custom_param, mapsTo: maps_to }),
				),
				blockedAddresses: blockedOf.get(row.id),
				lifetimeEventLimit: planOf(row.plan_tier).lifetimeEvents,
			},
		]),
	);
}
