import { systemActor } from "../features/auditing/audit-log/index.ts";
import { askPurge } from "../features/tenancy/data-keeping/index.ts";
import { changeSite, changeSites, type SiteDeps } from "../features/tenancy/sites/index.ts";
import { createJobs } from "../platform/jobs/create-jobs.ts";
import { createLog } from "../platform/log/create-log.ts";
import { confirm } from "./confirm.ts";
import { type Output, printRecord } from "./print-records.ts";
import { siteNamed } from "./site-options.ts";
import { withMetadata } from "./with-metadata.ts";

/** `footfall sites purge <site>`: deletes the site, and has the service purge it now instead of 30 days later. */
export const purgeSite =
	(depsOf: (...around: Parameters<Parameters<typeof withMetadata>[0]>) => SiteDeps) =>
	async (id: string, { yes, ...output }: Output & { readonly yes?: true }): Promise<void> => {
		await withMetadata(async (around) => {
			const { metadata, config } = around;
			const site = await siteNamed(metadata, id);
			await confirm(yes === true, {
				what: `${id} (${site.name}) would go for good, with all that it counted and its settings`,
				word: id,
				instead: `stop it with sites deactivate ${id}`,
			});
			const deps = depsOf(around);
			if (site.deleted_at === null) {
				await changeSite(deps, { siteId: id, actor: systemActor }, { isActive: false }, "site.deleted");
			}
			const jobs = createJobs({ ...deps, log: createLog(config) });
			const purge = await changeSites(deps, [], (trx) => askPurge({ ...deps, jobs }, trx, id));
			printRecord(
				{ id, purge: purge === undefined ? "under way" : "begun by the running service or the next one" },
				output,
			);
		});
	};
