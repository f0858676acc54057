import { Type } from "typebox";
import { AccountQuery, account, readingAccount, writingAccount } from "../../../../access/index.ts";
import { placed } from "../../../../analytics/query/question/bad-question.ts";
import { parseDay, todayIn } from "../../../../analytics/query/question/resolve-range.ts";
import { ServiceError } from "../../../../platform/errors/service-error.ts";
import { addRoute } from "../../../../platform/http/add-route.ts";
import type { App } from "../../../../platform/http/app.ts";
import { pageOf } from "../../../../platform/http/envelope.ts";
import { hourlyOfUser } from "../../../../platform/http/rate-limit/route-limit.ts";
import { Nullable, OneOf, pageFields, paging } from "../../../../platform/http/schemas.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { numberedPage } from "../../../../platform/metadata/page-of.ts";
import type { WatchDeps } from "../../mail-recipients/index.ts";
import { readerOf } from "../insights/present.ts";
import type { LensSite } from "../rules/week-figures.ts";
import { analyse } from "../runs/run-site.ts";
import { countView, findSettings, lensReports, type ReportRow, type ReportType } from "../store.ts";
import { askedPeriod, makeReport, reportTypes } from "./make-report.ts";
import { presentListed, presentReport } from "./present.ts";
import { ListedReport, Report } from "./schemas.ts";

/**
 * Creates a requested report; replaces one of the same period. Where nothing looks at the site by itself,
 * this does. 422 for a period that has not ended.
 */
async function generateReport(
	deps: WatchDeps,
	site: LensSite,
	{ type, end }: { readonly type: ReportType; readonly end: string | undefined },
): Promise<ReportRow> {
	const today = todayIn(site.timezone, deps.clock);
	const day = placed("body.period_end", () => parseDay(end, "period_end"));
	const period = askedPeriod(type, { end: day, today });
	const { analysis_frequency: frequency } = await findSettings(deps.metadata, site.id);
	const always = { isWanted: async () => true, follow: async () => undefined };
	if (frequency === "manual") await analyse(deps, site, today, always);
	const report = await makeReport(deps, site.id, period, { ...always, skipsEmpty: false });
	if (report === undefined) throw new Error("A report that was asked for was not stored");
	return report;
}

async function opened(metadata: Metadata, row: ReportRow | undefined): Promise<ReportRow> {
	if (row === undefined) throw new ServiceError("not_found", "Report not found");
	await countView(metadata, row.id);
	return { ...row, view_count: row.view_count + 1 };
}

const tags = ["Insights"];
const reading = { tags, querystring: AccountQuery, guard: readingAccount("viewer") };
/** A report asks as much as a page full of reports does. */
const generating = hourlyOfUser("lens-report", 30);

export function registerReports(app: App, deps: WatchDeps): void {
	const { metadata } = deps;
	addRoute(app, "GET /lens/reports", {
		...reading,
		summary: "Reports of a site, the latest period first",
		querystring: Type.Object({
			...account,
			report_type: Type.Optional(OneOf(reportTypes)),
			...paging({ pageSize: 12, max: 50 }),
		}),
		answer: Type.Object({ reports: Type.Array(ListedReport), ...pageFields }),
		handler: async (request) => {
			const { page, page_size: pageSize, report_type: type } = request.query;
			const where = { site_id: request.site.id, ...(type !== undefined && { report_type: type }) };
			const order = ["period_end desc", "report_type"] as const;
			const { rows, total } = await lensReports.page(metadata, where, order, numberedPage(page, pageSize));
			const reader = await readerOf(deps, request);
			const { data: reports, ...paging } = pageOf(
				rows.map((row) => presentListed(row, reader)),
				{ total, page, pageSize },
			);
			return { reports, ...paging };
		},
	});
	addRoute(app, "GET /lens/reports/latest/:type", {
		...reading,
		summary: "The last weekly or monthly report",
		params: Type.Object({ type: OneOf(reportTypes) }),
		answer: Report,
		handler: async (request) => {
			const where = { site_id: request.site.id, report_type: request.params.type };
			const row = await lensReports.find(metadata, where, "period_end desc");
			return presentReport(await opened(metadata, row), await readerOf(deps, request));
		},
	});
	addRoute(app, "GET /lens/reports/:id", {
		...reading,
		summary: "One report",
		params: Type.Object({ id: Type.String({ format: "uuid" }) }),
		answer: Report,
		handler: async (request) => {
			const row = await lensReports.find(metadata, { site_id: request.site.id, id: request.params.id });
			return presentReport(await opened(metadata, row), await readerOf(deps, request));
		},
	});
	addRoute(app, "POST /lens/reports/generate", {
		...reading,
		summary: "Create a report now; replaces one of the same period",
		body: Type.Object({
			report_type: OneOf(reportTypes),
			period_end: Type.Optional(
				Nullable(Type.String({ format: "date" }), {
					description: "Last of seven days, or a day of the month; default: the last complete week or month",
				}),
			),
		}),
		guard: writingAccount("editor"),
		limit: [generating],
		status: 201,
		answer: Report,
		handler: async (request) => {
			const { report_type: type, period_end: end } = request.body;
			const row = await generateReport(deps, request.site, { type, end: end ?? undefined });
			return presentReport(row, await readerOf(deps, request));
		},
	});
}
