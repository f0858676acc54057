import { systemActor } from "../features/auditing/audit-log/index.ts";
import { giveBonus, presentUsage, usageOf } from "../features/connecting/assistant/index.ts";
import { askPurge } from "../features/tenancy/data-keeping/index.ts";
import {
	addDomain,
	changeSite,
	changeSites,
	createSite,
	describeSite,
	describeSites,
	listSites,
	presentPixel,
	removeDomain,
	type SiteDeps,
	type SiteRow,
} from "../features/tenancy/sites/index.ts";
import { ConfigError } from "../platform/config/config.ts";
import { rootUrl } from "../platform/config/root-url.ts";
import type { ReadyConfig } from "../platform/config/secret-key.ts";
import { createJobs } from "../platform/jobs/job-runner.ts";
import { systemClock } from "../platform/lib/clock.ts";
import { createLog } from "../platform/log/create-log.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import { collect, currencyCode, siteName, siteNamed, siteOwner, wholeNumber } from "./arguments.ts";
import { type DefineCommand, type Output, printRecord, printRecords, withJson } from "./print-records.ts";
import { confirm } from "./prompts.ts";
import { serviceOn } from "./settle-settings.ts";
import { checkSite } from "./sites-check.ts";
import { type Around, onMetadata, withMetadata } from "./with-metadata.ts";

/** `footfall sites purge <site>`: deletes the site, and has the service purge it now instead of 30 days later. */
async function purgeSite(
	{ metadata, config }: Around,
	id: string,
	{ yes, ...output }: Output & { readonly yes?: true },
): Promise<void> {
	const site = await siteNamed(metadata, id);
	await confirm(yes === true, {
		what: `${id} (${site.name}) would be deleted permanently, with its data and settings`,
		word: id,
		instead: `pause it with sites deactivate ${id}`,
	});
	const deps = depsOf(metadata, config);
	if (site.deleted_at === null) {
		await changeSite(deps, { siteId: id, actor: systemActor }, { is_active: false }, "site.deleted");
	}
	const jobs = createJobs({ ...deps, log: createLog(config) });
	const purge = await changeSites(deps, [], (trx) => askPurge({ ...deps, jobs }, trx, id));
	printRecord(
		{ id, purge: purge === undefined ? "under way" : "started by the running service, or at its next start" },
		output,
	);
}

/** `footfall sites questions <site>`: questions of a site to the assistant this month, and how many remain. */
async function siteQuestions(
	{ metadata }: Around,
	id: string,
	{ bonus, ...output }: Output & { readonly bonus?: number },
): Promise<void> {
	const deps = { metadata, clock: systemClock };
	const site = await siteNamed(metadata, id);
	if (bonus !== undefined) await giveBonus(deps, site, bonus);
	printRecord({ id, ...presentUsage(await usageOf(deps, site)) }, output);
}

interface CreateOptions extends Output {
	readonly name: string;
	readonly domain: readonly string[];
	readonly timezone: string;
	readonly currency: string;
	readonly owner?: string;
}
interface SetOptions extends Output {
	readonly name?: string;
	readonly timezone?: string;
	readonly currency?: string;
}
interface DomainOptions extends Output {
	readonly add: readonly string[];
	readonly remove: readonly string[];
}

/** `footfall sites` */
export const define: DefineCommand = (command) => {
	withJson(command.command("create"))
		.description("Create a site; a running service picks it up within five seconds")
		.requiredOption("--name <name>", "name; the site's id is derived from it", siteName)
		.option("--domain <host>", "host that may send hits; repeat it, or omit it to allow every host", collect, [])
		.option("--timezone <zone>", "IANA time zone of the site's days", "UTC")
		.option("--currency <code>", "currency of revenue", currencyCode, "EUR")
		.option("--owner <email>", "owner; default: the first superadmin")
		.action(onMetadata(create));
	withJson(command.command("list"))
		.description("All sites")
		.option("--all", "include inactive sites")
		.action(onMetadata(list));
	withJson(command.command("show <site>"))
		.description("Show a site's settings and the script tag for its pages")
		.action(onMetadata(show));
	withJson(command.command("set <site>"))
		.description("Change settings; a running service picks them up within five seconds")
		.option("--name <name>", "new name; the id stays", siteName)
		.option("--timezone <zone>", "IANA time zone, for future hits")
		.option("--currency <code>", "currency of revenue; stored amounts stay unchanged", currencyCode)
		.action(set);
	withJson(command.command("check <site>"))
		.description("Show whether hits arrive, and why others are rejected")
		.action(onMetadata(checkSite));
	withJson(command.command("domains <site>"))
		.description("Show or change the hosts that may send hits")
		.option("--add <host>", "repeat it for several", collect, [])
		.option("--remove <host>", "repeat it for several", collect, [])
		.action(onMetadata(domains));
	withJson(command.command("questions <site>"))
		.description("Show the questions a site has used this month, or grant more")
		.option("--bonus <number>", "extra questions beyond the usual 100, for this month", wholeNumber(0, 1_000_000))
		.action(onMetadata(siteQuestions));
	withJson(command.command("activate <site>")).description("Resume collecting").action(setActive(true));
	withJson(command.command("deactivate <site>"))
		.description("Stop collecting; reports stay readable")
		.action(setActive(false));
	withJson(command.command("purge <site>"))
		.description("Delete a site permanently, with all its data and settings")
		.option("--yes", "delete without asking; this cannot be undone")
		.action(onMetadata(purgeSite));
};

const depsOf = (metadata: Metadata, config: ReadyConfig): SiteDeps => ({
	metadata,
	clock: systemClock,
	// Nothing in this process reads sites from memory; servers notice the change by its count.
	sites: { refresh: async () => {} },
	defaultPlan: config.defaultPlan,
});

async function create({ metadata, config }: Around, options: CreateOptions): Promise<void> {
	const owner = await siteOwner(metadata, options.owner);
	const isSuperadmin = owner.role === "superadmin";
	const creator = { userId: owner.id, name: owner.name, isSuperadmin, actor: systemActor };
	const { name, domain, timezone, currency } = options;
	const input = { name, domains: domain, timezone, currency, orgId: null };
	const site = await createSite(depsOf(metadata, config), creator, input);
	printRecord(await withScriptTag({ metadata, config }, site), options);
}

/** The address in the tag is that of the running service, which may have settings of its own. */
async function withScriptTag({ metadata, config }: { metadata: Metadata; config: ReadyConfig }, site: SiteRow) {
	const root = config.publicUrl ?? serviceOn(process.env, config.dataDir)?.rootUrl ?? rootUrl(config);
	return { ...(await describeSite(metadata, site)), script_tag: presentPixel(site.id, root).script_tag };
}

async function show(deps: Around, id: string, options: Output): Promise<void> {
	printRecord(await withScriptTag(deps, await siteNamed(deps.metadata, id)), options);
}

async function set(id: string, { name, timezone, currency, ...options }: SetOptions): Promise<void> {
	const changes = {
		...(name !== undefined && { name }),
		...(timezone !== undefined && { timezone }),
		...(currency !== undefined && { currency }),
	};
	if (Object.keys(changes).length === 0)
		throw new ConfigError("Give a setting to change: --name, --timezone, --currency");
	await withMetadata(async (deps) => {
		await siteNamed(deps.metadata, id);
		const change = { siteId: id, actor: systemActor };
		const site = await changeSite(depsOf(deps.metadata, deps.config), change, changes);
		printRecord(await withScriptTag(deps, site), options);
	});
}

async function list({ metadata }: Around, options: Output & { readonly all?: true }): Promise<void> {
	const rows = await listSites(metadata, { ids: null, includeInactive: options.all === true });
	const columns = ["id", "name", "domains", "timezone", "is_active", "created_at"];
	printRecords(await describeSites(metadata, rows), { columns, ...options });
}

async function domains({ metadata, config }: Around, id: string, options: DomainOptions): Promise<void> {
	const site = await siteNamed(metadata, id);
	const deps = depsOf(metadata, config);
	const change = { siteId: id, actor: systemActor };
	for (const domain of options.add) await addDomain(deps, change, domain);
	for (const domain of options.remove) await removeDomain(deps, change, domain);
	const described = await describeSite(metadata, site);
	printRecord({ id, domains: described.domains }, options);
}

const setActive = (isActive: boolean) =>
	onMetadata(async ({ metadata, config }, id: string, options: Output) => {
		await siteNamed(metadata, id);
		const change = { siteId: id, actor: systemActor };
		const site = await changeSite(depsOf(metadata, config), change, { is_active: isActive });
		printRecord(await describeSite(metadata, site), options);
	});
