import { Type } from "typebox";
import { AccountQuery, readingAccount, writingAccount } from "../../../access/index.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { hourlyOfUser } from "../../../platform/http/rate-limit/route-limit.ts";
import { ErrorRef, Id, Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { findUser } from "../../people/users/index.ts";
import { siteChangeOf } from "../../tenancy/organizations/index.ts";
import {
	changeReport,
	createReport,
	getReport,
	listWithRecipients,
	type MailReportDeps,
	type Report,
	recipientStatuses,
	removeReport,
} from "./change-reports.ts";
import { runningPeriod } from "./figures.ts";
import { reportContent } from "./send-reports.ts";
import { frequencies } from "./store.ts";

const ReportParams = Type.Object({ id: Id() });

const fields = {
	frequency: OneOf(frequencies, {
		description: "At 7:00 in the site's time zone, on Mondays or on the first of the month",
	}),
	recipients: Type.Array(Type.String({ format: "email" }), {
		minItems: 1,
		maxItems: 20,
		description:
			"Recipients who have unsubscribed stay unsubscribed. Recipients who are not users of the site must confirm by mail first",
	}),
};
const CreateReportBody = Type.Object({ ...fields, is_active: Type.Boolean({ default: true }) });
const ChangeReportBody = Type.Partial(Type.Object({ ...fields, is_active: Type.Boolean() }));

const MailReport = Type.Object({
	id: Type.Integer(),
	account_id: Type.String(),
	frequency: OneOf(frequencies),
	recipients: Type.Array(
		Type.Object({
			email: Type.String(),
			status: OneOf(recipientStatuses, {
				description:
					"Only `active` recipients get mails. `unconfirmed`: was asked and may still agree. `no_access`: cannot open the site, and did not agree in time",
			}),
		}),
	),
	is_active: Type.Boolean(),
	last_sent_at: Nullable(Timestamp()),
	created_by: Nullable(Type.Integer()),
	created_at: Timestamp(),
	updated_at: Timestamp(),
});
const presentReport = ({ row, recipients }: Report) => ({
	...presentRow(MailReport, row),
	account_id: row.site_id,
	recipients: recipients.map(({ email, status }) => ({ email, status })),
});

const MailReportList = Type.Object({ reports: Type.Array(MailReport), total: Type.Integer() });
const SentTest = Type.Object({ sent_to: Type.String({ description: "The caller's own address" }) });

const tags = ["Mail reports"];
/** Lists hold the addresses of people. */
const reading = { tags, querystring: AccountQuery, guard: readingAccount("editor") };
const writing = { tags, querystring: AccountQuery, guard: writingAccount("editor") };
const tooMany = { description: "`conflict`: the site has 20 mail reports", ...ErrorRef };

export function registerMailReportRoutes(app: App, deps: MailReportDeps): void {
	addRoute(app, "GET /mail-reports", {
		...reading,
		summary: "Mail reports of a site",
		data: MailReportList,
		handler: async (request) => {
			const reports = (await listWithRecipients(deps, request.site.id)).map(presentReport);
			return { reports, total: reports.length };
		},
	});
	addRoute(app, "GET /mail-reports/:id", {
		...reading,
		summary: "One mail report",
		params: ReportParams,
		data: MailReport,
		handler: async (request) => presentReport(await getReport(deps, request.site.id, request.params.id)),
	});
	addRoute(app, "POST /mail-reports", {
		...writing,
		summary: "Create a weekly or monthly mail report",
		body: CreateReportBody,
		status: 201,
		data: MailReport,
		errors: { 409: tooMany },
		handler: async (request) => presentReport(await createReport(deps, siteChangeOf(request), request.body)),
	});
	addRoute(app, "PATCH /mail-reports/:id", {
		...writing,
		summary: "Change a mail report; given recipients replace the current ones",
		params: ReportParams,
		body: ChangeReportBody,
		data: MailReport,
		handler: async (request) =>
			presentReport(await changeReport(deps, siteChangeOf(request), request.params.id, request.body)),
	});
	addRoute(app, "DELETE /mail-reports/:id", {
		...writing,
		summary: "Remove a mail report",
		params: ReportParams,
		empty: "Removed",
		handler: (request) => removeReport(deps, siteChangeOf(request), request.params.id),
	});
	addRoute(app, "POST /mail-reports/:id/test", {
		...writing,
		summary: "Send the last report to yourself",
		params: ReportParams,
		limit: [hourlyOfUser("mail-report-test", 10)],
		data: SentTest,
		handler: async (request) => {
			const { row } = await getReport(deps, request.site.id, request.params.id);
			const user = await findUser(deps.metadata, request.caller.userId);
			if (user === undefined) throw new Error("The caller has no account");
			const period = runningPeriod(row.frequency, request.site.timezone, deps.clock.now());
			const { content } = await reportContent(deps, row.site_id, row.frequency, period);
			await deps.mailer.queue(deps.metadata, { to: user.email, ...content, subject: `Test: ${content.subject}` });
			return { sent_to: user.email };
		},
	});
}
