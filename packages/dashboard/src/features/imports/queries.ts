import { queryOptions } from "@tanstack/react-query";
import { type Answer, addressOf, call, unwrap } from "../../api/client.ts";
import { read } from "../../api/read.ts";
import { send } from "../../api/session.ts";
import { failureOf } from "../../lib/failure.ts";
import { useChange } from "../../ui/form/use-change.ts";
import { t as migrationTexts } from "./migration-texts.ts";
import { t } from "./texts.ts";

/** An import of a site. */
export type Import = Answer<"GET /imports">["imports"][number];
export type Report = NonNullable<Import["report"]>;
/** A job that brings figures of an older service over. */
export type Job = Answer<"GET /migration/accounts/{id}/jobs">["jobs"][number];

const list = "GET /imports" as const;
const jobs = "GET /migration/accounts/{id}/jobs" as const;
const everyMs = 1_500;

/** True while an import is worked on. */
export const isWorking = ({ status }: Pick<Import, "status">): boolean =>
	status === "pending" || status === "validating" || status === "importing";

/** Configuration of the installation; it does not change during a session. */
export const configQuery = queryOptions({ ...read("GET /config"), staleTime: Number.POSITIVE_INFINITY });

/** The imports of a site, newest first; looked at again while one is worked on. */
export const importsQuery = (site: string) =>
	queryOptions({
		...read(list, { query: { account_id: site, limit: 50 } }),
		refetchInterval: ({ state }) => (state.data?.imports.some(isWorking) ? everyMs : false),
	});

/** Figures of the reports on the days of an import. */
export const countedQuery = (site: string, from: string, to: string) =>
	read("GET /stats/overview", {
		query: { site_id: site, start_date: from, end_date: to, granularity: "daily", series: ["entrances"] },
	});

/** The migration jobs of a site, newest first. */
export const jobsQuery = (site: string) =>
	queryOptions({
		...read(jobs, { path: { id: site } }),
		refetchInterval: ({ state }) => (state.data?.jobs.some(isUnfinished) ? everyMs : false),
		retry: false,
	});

/** True while a migration job waits or runs. */
export const isUnfinished = ({ status }: Pick<Job, "status">): boolean => status === "pending" || status === "running";

/** How far a migration job is. */
export const progressQuery = (jobId: number) =>
	queryOptions({
		...read("GET /migration/jobs/{job_id}/progress", { path: { job_id: jobId } }),
		refetchInterval: everyMs,
	});

/** Hands a form with its file in. */
async function upload(site: string, form: FormData): Promise<Import> {
	const response = await send(addressOf("POST /imports", {}, { account_id: site }), { method: "POST", body: form });
	if (!response.ok) throw await failureOf(response);
	return unwrap(await response.json()) as Import;
}

/** The changes of a site's imports. */
export function useImports(site: string) {
	const at = ({ import_id }: Import) => ({ path: { import_id }, query: { account_id: site } });
	return {
		create: useChange({ run: (form: FormData) => upload(site, form), stale: [list], done: () => t.reading }),
		run: useChange({ run: (one: Import) => call("POST /imports/{import_id}/run", at(one)), stale: [list] }),
		undo: useChange({
			run: (one: Import) => call("POST /imports/{import_id}/undo", at(one)),
			stale: [list, jobs],
			done: () => t.undone,
		}),
		remove: useChange({
			run: (one: Import) => call("DELETE /imports/{import_id}", at(one)),
			stale: [list, jobs],
			done: (_, one) => (isWorking(one) ? t.cancelled : t.removed),
		}),
	};
}

/** The changes of a site's migration jobs. */
export function useMigration(site: string) {
	return {
		test: useChange({
			run: (body: { readonly email: string; readonly password: string; readonly account_id: string }) =>
				call("POST /migration/test-connection", { body }),
			stale: [],
		}),
		start: useChange({
			run: (body: Parameters<typeof startBody>[0]) =>
				call("POST /migration/accounts/{id}/jobs", { path: { id: site }, body: startBody(body) }),
			stale: [jobs],
			done: () => migrationTexts.begun,
		}),
		cancel: useChange({
			run: ({ id }: Job) => call("POST /migration/jobs/{job_id}/cancel", { path: { job_id: id } }),
			stale: [jobs, list],
			done: () => migrationTexts.cancelled,
		}),
	};
}

/** Body for a migration job. */
const startBody = (values: {
	readonly email: string;
	readonly password: string;
	readonly account: string;
	readonly from: string;
	readonly to: string;
	readonly kinds: readonly string[];
}) => ({
	v1_email: values.email,
	v1_password: values.password,
	v1_account_id: values.account,
	date_from: values.from,
	date_to: values.to,
	migrate_conversions: values.kinds.includes("conversions"),
	migrate_microconversions: values.kinds.includes("microconversions"),
	migrate_pageviews: values.kinds.includes("pageviews"),
});
