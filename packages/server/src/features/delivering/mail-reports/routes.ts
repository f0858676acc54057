import { Type } from "typebox";
import { AccountQuery, readingAccount, writingAccount } from "../../../access/index.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import type { RouteLimit } from "../../../platform/http/rate-limit/route-limit.ts";
import { ErrorRef, Id, Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { HOUR_MS } from "../../../platform/lib/durations.ts";
import { timestamp, timestampOrNull } from "../../../platform/lib/timestamp.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import { findUser } from "../../people/users/index.ts";
import {
	changeReport,
	createReport,
	getReport,
	listWithRecipients,
	type Report,
	removeReport,
} from "./change-reports.ts";
import { runningPeriod } from "./period.ts";
import type { MailReportDeps } from "./recipients.ts";
import { recipientStatuses } from "./recipients.ts";
import { reportContent } from "./send-reports.ts";
import { frequencies } from "./store.ts";

/** A mail report on the wire. */
const presentReport = ({ row, recipients }: Report) => ({
	id: row.id,
	account_id: row.site_id,
	frequency: row.frequency,
	recipients: recipients.map(({ email, status }) => ({ email, status })),
	is_active: row.is_active === 1,
	last_sent_at: timestampOrNull(row.last_sent_at),
	created_by: row.created_by,
	created_at: timestamp(row.created_at),
	updated_at: timestamp(row.updated_at),
});

const ReportParams = Type.Object({ id: Id() });

const frequency = () =>
	OneOf(frequencies, { description: "At 7:00 in the site's time zone, on Mondays or on the first of the month" });
const recipients = () =>
	Type.Array(Type.String({ format: "email" }), {
		minItems: 1,
		maxItems: 20,
		description:
			"Recipients who have unsubscribed stay unsubscribed. Recipients who are not users of the site must confirm by mail first",
	});

const CreateReportBody = Type.Object({
	frequency: frequency(),
	recipients: recipients(),
	is_active: Type.Boolean({ default: true }),
});
const ChangeReportBody = Type.Object({
	frequency: Type.Optional(frequency()),
	recipients: Type.Optional(recipients()),
	is_active: Type.Optional(Type.Boolean()),
});

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
const MailReportList = Type.Object({ reports: Type.Array(MailReport), total: Type.Integer() });
const SentTest = Type.Object({ sent_to: Type.String({ description: "The caller's own address" }) });

const tags = ["Mail reports"];
/** Lists hold the addresses of people. */
const reading = readingAccount("editor");
const writing = writingAccount("editor");
const tooMany = { description: "`conflict`: the site has 20 mail reports", ...ErrorRef };
const testing: RouteLimit = {
	name: "mail-report-test",
	max: 10,
	windowMs: HOUR_MS,
	by: (request) => String(request.caller.userId),
};

/** Routes on the summaries of a site that go out by mail. */
export function registerMailReportRoutes(app: App, deps: MailReportDeps): void {
	registerReads(app, deps);
	registerWrites(app, deps);
	registerRemoval(app, deps);
	registerTest(app, deps);
}

function registerReads(app: App, deps: MailReportDeps): void {
	addRoute(app, "GET /mail-reports", {
		tags,
		summary: "Mail reports of a site",
		querystring: AccountQuery,
		guard: reading,
		data: MailReportList,
		handler: async (request) => {
			const reports = (await listWithRecipients(deps, request.site.id)).map(presentReport);
			return { reports, total: reports.length };
		},
	});
	addRoute(app, "GET /mail-reports/:id", {
		tags,
		summary: "One mail report",
		params: ReportParams,
		querystring: AccountQuery,
		guard: reading,
		data: MailReport,
		handler: async (request) => presentReport(await getReport(deps, request.site.id, request.params.id)),
	});
}

function registerWrites(app: App, deps: MailReportDeps): void {
	addRoute(app, "POST /mail-reports", {
		tags,
		summary: "Create a weekly or monthly mail report",
		querystring: AccountQuery,
		body: CreateReportBody,
		guard: writing,
		status: 201,
		data: MailReport,
		errors: { 409: tooMany },
		handler: async (request) => {
			const { is_active: isActive, ...input } = request.body;
			const by = { site: request.site, actor: actorOf(request) };
			return presentReport(await createReport(deps, by, { ...input, isActive }));
		},
	});
	addRoute(app, "PATCH /mail-reports/:id", {
		tags,
		summary: "Change a mail report; given recipients replace the current ones",
		params: ReportParams,
		querystring: AccountQuery,
		body: ChangeReportBody,
		guard: writing,
		data: MailReport,
		handler: async (request) => {
			const { is_active: isActive, ...others } = request.body;
			const by = { site: request.site, actor: actorOf(request) };
			const changes = { ...others, ...(isActive !== undefined && { isActive }) };
			return presentReport(await changeReport(deps, by, request.params.id, changes));
		},
	});
}

function registerRemoval(app: App, deps: MailReportDeps): void {
	addRoute(app, "DELETE /mail-reports/:id", {
		tags,
		summary: "Remove a mail report",
		params: ReportParams,
		querystring: AccountQuery,
		guard: writing,
		empty: "Removed",
		handler: async (request) => {
			await removeReport(deps, { site: request.site, actor: actorOf(request) }, request.params.id);
		},
	});
}

function registerTest(app: App, deps: MailReportDeps): void {
	addRoute(app, "POST /mail-reports/:id/test", {
		tags,
		summary: "Send the last report to yourself",
		params: ReportParams,
		querystring: AccountQuery,
		guard: writing,
		limit: [testing],
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
