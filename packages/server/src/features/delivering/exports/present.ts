import { presentRow } from "../../../platform/http/present-row.ts";
import type { ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { ExportDeps } from "./deps.ts";
import { downloadUrl } from "./download-link.ts";
import { type Estimate, humanSize } from "./estimate.ts";
import { ExportSummary, type Filters } from "./schemas.ts";
import type { ExportRow } from "./store.ts";

type LinkDeps = ServerSecrets & Pick<ExportDeps, "rootUrl">;

const presentSummary = (deps: LinkDeps, row: ExportRow) => ({
	...presentRow(ExportSummary, row),
	file_size_human: row.file_size_bytes === null ? null : humanSize(row.file_size_bytes),
	download_url: downloadUrl(deps, row),
});

export const presentJob = (deps: LinkDeps, row: ExportRow) => ({
	...presentSummary(deps, row),
	filters: JSON.parse(row.filters) as Filters,
});

export const presentJobs = (deps: LinkDeps, page: { readonly rows: readonly ExportRow[]; readonly total: number }) => ({
	exports: page.rows.map((row) => presentSummary(deps, row)),
	total: page.total,
});

const messages: Partial<Record<ExportRow["status"], string>> = {
	completed: "The export is ready",
	failed: "The export failed",
};

export const presentCreated = (
	deps: LinkDeps,
	{ row, estimate }: { readonly row: ExportRow; readonly estimate: Estimate },
) => ({
	job: presentJob(deps, row),
	estimate,
	message: messages[row.status] ?? "The export is made in the background; GET /exports/{job_id} shows its progress",
});
