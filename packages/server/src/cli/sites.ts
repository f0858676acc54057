import { systemActor } from "../features/accounts/audit-log/index.ts";
import {
	addDomain,
	changeSite,
	createSite,
	describeSite,
	describeSites,
	findSite,
	listSites,
	presentPixel,
	removeDomain,
	type SiteDeps,
	type SiteRow,
} from "../features/accounts/sites/index.ts";
import { listUsers, type UserRow } from "../features/accounts/users/index.ts";
import { ConfigError } from "../platform/config/config.ts";
import { rootUrl } from "../platform/config/root-url.ts";
import type { ReadyConfig } from "../platform/config/secret-key.ts";
import { systemClock } from "../platform/lib/clock.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import type { DefineCommand } from "./command.ts";
import { type Output, printRecord, printRecords, withJson } from "./print-records.ts";
import { userByEmail } from "./users.ts";
import { withMetadata } from "./with-metadata.ts";

interface CreateOptions extends Output {
	readonly name: string;
	readonly domain: readonly string[];
	readonly timezone: string;
	readonly currency: string;
	readonly owner?: string;
}
interface DomainOptions extends Output {
	readonly add: readonly string[];
	readonly remove: readonly string[];
}

const collect = (value: string, before: readonly string[]): string[] => [...before, value];

/** `footfall sites` */
export const defineSites: DefineCommand = (command) => {
	withJson(command.command("create"))
		.description("Create a site; a running server knows it within five seconds")
		.requiredOption("--name <name>", "name; the site's id is made from it")
		.option("--domain <host>", "host that may send hits; repeat it, or leave it out to admit every host", collect, [])
		.option("--timezone <zone>", "IANA zone in which days begin and end", "UTC")
		.option("--currency <code>", "currency of revenue", "EUR")
		.option("--owner <email>", "user who owns it; the first superadmin when absent")
		.action(create);
	withJson(command.command("list")).description("All sites").option("--all", "inactive ones too").action(list);
	withJson(command.command("domains <site>"))
		.description("Show or change the hosts that may send hits")
		.option("--add <host>", "repeat it for several", collect, [])
		.option("--remove <host>", "repeat it for several", collect, [])
		.action(domains);
	withJson(command.command("activate <site>")).description("Collect again").action(setActive(true));
	withJson(command.command("deactivate <site>"))
		.description("Stop collecting; reports stay readable")
		.action(setActive(false));
};

const depsOf = (metadata: Metadata, config: ReadyConfig): SiteDeps => ({
	metadata,
	clock: systemClock,
	// Nothing in this process reads sites from memory; servers notice the change by its count.
	sites: { refresh: async () => {} },
	defaultPlan: config.defaultPlan,
	allowLocalhost: config.nodeEnv !== "production",
});

async function create(options: CreateOptions): Promise<void> {
	await withMetadata(async ({ metadata, config }) => {
		const owner = await ownerOf(metadata, options.owner);
		const isSuperadmin = owner.role === "superadmin";
		const creator = { userId: owner.id, name: owner.name, isSuperadmin, actor: systemActor };
		const { name, domain, timezone, currency } = options;
		const input = { name, domains: domain, timezone, currency, orgId: null };
		const site = await createSite(depsOf(metadata, config), creator, input);
		const { script_tag } = presentPixel(site.id, rootUrl(config));
		printRecord({ ...(await describeSite(metadata, site)), script_tag }, options);
	});
}

async function ownerOf(metadata: Metadata, email: string | undefined): Promise<UserRow> {
	if (email !== undefined) return userByEmail(metadata, email);
	const users = await listUsers(metadata);
	const first = users.find(({ role, is_active: isActive }) => role === "superadmin" && isActive === 1);
	if (first === undefined) throw new ConfigError("There is no superadmin yet: `footfall users create` makes one");
	return first;
}

async function list(options: Output & { readonly all?: true }): Promise<void> {
	await withMetadata(async ({ metadata }) => {
		const rows = await listSites(metadata, { ids: null, includeInactive: options.all === true });
		const columns = ["id", "name", "domains", "timezone", "is_active", "created_at"];
		printRecords(await describeSites(metadata, rows), { columns, ...options });
	});
}

async function siteNamed(metadata: Metadata, id: string): Promise<SiteRow> {
	const site = await findSite(metadata, id);
	if (site === undefined) throw new ConfigError(`There is no site ${id}; \`footfall sites list\` shows what there is`);
	return site;
}

async function domains(id: string, options: DomainOptions): Promise<void> {
	await withMetadata(async ({ metadata, config }) => {
		const site = await siteNamed(metadata, id);
		const deps = depsOf(metadata, config);
		const change = { siteId: id, actor: systemActor };
		for (const domain of options.add) await addDomain(deps, change, domain);
		for (const domain of options.remove) await removeDomain(deps, change, domain);
		const described = await describeSite(metadata, site);
		printRecord({ id, domains: described.domains }, options);
	});
}

function setActive(isActive: boolean) {
	return async (id: string, options: Output): Promise<void> => {
		await withMetadata(async ({ metadata, config }) => {
			await siteNamed(metadata, id);
			const site = await changeSite(depsOf(metadata, config), { siteId: id, actor: systemActor }, { isActive });
			printRecord(await describeSite(metadata, site), options);
		});
	};
}
