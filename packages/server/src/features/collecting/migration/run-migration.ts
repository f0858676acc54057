import { ServiceError } from "../../../platform/errors/service-error.ts";
import { JobFailure } from "../../../platform/jobs/job-failure.ts";
import type { JobContext } from "../../../platform/jobs/jobs.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { systemActor } from "../../auditing/audit-log/index.ts";
import { findSite } from "../../tenancy/sites/index.ts";
import { findSiteImport, type ImportedSum, importContent } from "../imports/index.ts";
import { type LegacyLogin, type LegacySession, openLegacy } from "./legacy-service.ts";
import { loginSealer, type MigrationDeps, nothingFetched } from "./start-migration.ts";
import { type FetchedByKind, type MigrationKind, type MigrationRow, migrations, updateUnfinished } from "./store.ts";

/** A fetched row as a line of the import's file. */
type Sum = Pick<ImportedSum, "at" | "dimensions" | "measures">;

const texts = {
	source: "utm_source",
	medium: "utm_medium",
	campaign: "utm_campaign",
	term: "utm_term",
	content: "utm_content",
	referrer: "referrer",
	landing_page: "landing_path",
	country: "country",
	device: "device",
	browser: "browser",
	os: "os",
} as const;

const measures = {
	conversions: { conversions: "conversions", revenue: "revenue" },
	microconversions: { microconversions: "microconversions" },
	pageviews: {
		entrances: "entrances",
		engaged_entrances: "engaged",
		page_views: "page_views",
		visit_seconds: "visit_seconds",
	},
} as const satisfies Readonly<Record<MigrationKind, Readonly<Record<string, keyof ImportedSum["measures"]>>>>;

/** Which column of a kind names what was counted. */
const own = {
	conversions: ["type", "event_type"],
	microconversions: ["type", "event_type"],
	pageviews: ["page", "path"],
} as const;

/** A row of the older service as a sum; one that is invalid has no day, which the import reports as malformed. */
function legacySum(kind: MigrationKind, row: unknown): Sum {
	const cells = typeof row === "object" && row !== null ? (row as Readonly<Record<string, unknown>>) : {};
	const dimensions: Record<string, string> = {};
	const [theirs, ours] = own[kind];
	for (const [name, dimension] of [...Object.entries(texts), [theirs, ours] as const]) {
		const value = cells[name];
		if (typeof value === "string" && value !== "") dimensions[dimension] = value;
	}
	const counts: Record<string, number> = {};
	for (const [name, measure] of Object.entries(measures[kind])) {
		// Money comes as text from some releases.
		const value = cells[name] === undefined || cells[name] === null ? 0 : Number(cells[name]);
		if (value !== 0) counts[measure] = Number.isFinite(value) ? value : -1;
	}
	const date = typeof cells.date === "string" ? cells.date : "";
	return { at: { date, hour: undefined }, dimensions, measures: counts };
}

/** The job was cancelled meanwhile. */
class Cancelled extends Error {}

const steps: Readonly<Record<MigrationKind, string>> = {
	conversions: "Fetching conversions",
	microconversions: "Fetching microconversions",
	pageviews: "Fetching page views",
};

/** Fetches the rows of a job into a file for an import. A repetition fetches again; a permanent failure ends the job. */
export async function runMigration(
	deps: MigrationDeps,
	id: number,
	context: Pick<JobContext, "signal">,
): Promise<void> {
	const { metadata, clock } = deps.imports;
	const found = await migrations.find(metadata, { id });
	if (found === undefined || found.sealed_login === null) return;
	const begun = { status: "running" as const, started_at: found.started_at ?? clock.now() };
	const row = await updateUnfinished(metadata, id, begun);
	if (row === undefined) return;
	try {
		if ((await findSiteImport(metadata, row.site_id, row.import_id)) === undefined) await bring(deps, row, context);
		await updateUnfinished(metadata, id, { sealed_login: null, current_step: "Importing" });
	} catch (error) {
		if (error instanceof Cancelled) return;
		const isFinal = error instanceof JobFailure ? error.isFinal : error instanceof ServiceError && !error.isOurs;
		if (context.signal.aborted || !isFinal) throw error;
		await failMigration(deps, metadata, id, error instanceof Error ? error.message : undefined);
	}
}

/** Ends a job that cannot be brought on; email and password go. */
export async function failMigration(
	{ imports }: Pick<MigrationDeps, "imports">,
	trx: Metadata,
	id: number,
	message = "The figures could not be fetched",
): Promise<void> {
	const ended = { sealed_login: null, current_step: null, completed_at: imports.clock.now() };
	await updateUnfinished(trx, id, { ...ended, status: "failed", error_message: message });
}

async function bring(deps: MigrationDeps, row: MigrationRow, { signal }: Pick<JobContext, "signal">): Promise<void> {
	const { imports, legacyApiUrl } = deps;
	const site = await findSite(imports.metadata, row.site_id);
	if (site === undefined || site.is_active !== 1) throw gone("The site was deleted");
	if (legacyApiUrl === undefined) throw gone("LEGACY_API_URL is not set any more");
	const session = await openLegacy(deps.operatorFetch, legacyApiUrl, loginOf(deps, row), signal);
	const storedName = `migration-${row.import_id}.ndjson`;
	await importContent(
		imports,
		{
			site: { id: site.id, organizationId: site.organization_id },
			actor: { ...systemActor, userId: row.created_by },
		},
		{ name: `${row.v1_account_id}.ndjson`, storedName, pieces: fileOf(deps, { row, session, signal }) },
		{
			importId: row.import_id,
			source: "legacy_service",
			dryRun: false,
			timezone: site.timezone,
			from: row.date_from,
			to: row.date_to,
			columnMap: {},
		},
		signal,
	);
}

const gone = (message: string) => new JobFailure(message, { isFinal: true, isOurs: false });

function loginOf(deps: MigrationDeps, { import_id, sealed_login }: MigrationRow): LegacyLogin {
	const text = sealed_login === null ? undefined : loginSealer(deps).open(import_id, sealed_login);
	if (text === undefined) throw gone("The password was sealed with another SECRET_KEY");
	return JSON.parse(text) as LegacyLogin;
}

/** The file's lines as they come; the first makes it unlike that of every other job. */
async function* fileOf(
	{ imports: { metadata } }: MigrationDeps,
	{ row, session, signal }: { row: MigrationRow; session: LegacySession; signal: AbortSignal },
) {
	const piece = (lines: readonly unknown[]) => Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
	yield piece([{ job: row.id, import: row.import_id, account: row.v1_account_id }]);
	let fetched: FetchedByKind = nothingFetched;
	const note = async (kind: MigrationKind, now: FetchedByKind[MigrationKind]) => {
		fetched = { ...fetched, [kind]: now };
		const changes = { fetched: JSON.stringify(fetched), current_step: steps[kind] };
		if ((await updateUnfinished(metadata, row.id, changes)) === undefined) throw new Cancelled();
	};
	const asked = { accountId: row.v1_account_id, from: row.date_from, to: row.date_to };
	for (const kind of JSON.parse(row.kinds) as MigrationKind[]) {
		for (let skip = 0; ; ) {
			signal.throwIfAborted();
			const { rows, total } = await session.page({ ...asked, kind, skip });
			if (rows.length > 0) yield piece(rows.map((one) => legacySum(kind, one)));
			skip += rows.length;
			await note(kind, { total: Math.max(total, skip), migrated: skip });
			if (rows.length === 0 || skip >= total) break;
		}
	}
}
