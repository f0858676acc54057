import type { Static } from "typebox";
import { AccountQuery, readingAccount, writingAccount } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { ErrorRef } from "../../../platform/http/schemas.ts";
import { judgeAlert } from "./change-alert.ts";
import type { AlertDeps } from "./deps.ts";
import { listAlerts } from "./history-store.ts";
import { presentAlert, presentStats } from "./present.ts";
import { Alert, AlertList, AlertParams, AlertStats, ChangeAlertBody, HistoryQuery } from "./schemas.ts";
import { alertStats } from "./stats.ts";

const tags = ["Alerts"];
const reading = readingAccount("viewer");
const writing = writingAccount("editor");

/** The moments between which days of a time zone lie; throws `bad_request` when they end before they begin. */
function stretchOf({ from_date: from, to_date: to }: Static<typeof HistoryQuery>, timezone: string) {
	if (from !== undefined && to !== undefined && from > to) {
		throw new ServiceError("bad_request", { message: "from_date must not be after to_date" });
	}
	const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime(timezone).epochMilliseconds;
	return {
		fromMs: from === undefined ? undefined : startOf(Temporal.PlainDate.from(from)),
		beforeMs: to === undefined ? undefined : startOf(Temporal.PlainDate.from(to).add({ days: 1 })),
	};
}

/** Routes on what alert rules found. */
export function registerHistory(app: App, deps: AlertDeps): void {
	app.route({
		method: "GET",
		url: "/alerts/history",
		schema: {
			tags,
			summary: "What alert rules found",
			querystring: HistoryQuery,
			response: { 200: AlertList, ...errorAnswers("bad_request") },
		},
		config: { guard: reading },
		handler: async (request) => {
			const { rule_id: ruleId, status, limit, offset } = request.query;
			const days = stretchOf(request.query, request.site.timezone);
			const filter = { siteId: request.site.id, ruleId, status, ...days, limit, offset };
			const { rows, total } = await listAlerts(deps.metadata, filter);
			return { alerts: rows.map(presentAlert), total };
		},
	});
	app.route({
		method: "PATCH",
		url: "/alerts/history/:alert_id",
		schema: {
			tags,
			summary: "Acknowledge, resolve or dismiss what a rule found",
			params: AlertParams,
			querystring: AccountQuery,
			body: ChangeAlertBody,
			response: { 200: Alert, 409: { description: "`conflict`: it is over already", ...ErrorRef } },
		},
		config: { guard: writing },
		handler: async (request) => {
			const { status, notes } = request.body;
			const { userId } = request.caller;
			const verdict = { siteId: request.site.id, id: request.params.alert_id, userId, status, notes };
			return presentAlert(await judgeAlert(deps, verdict));
		},
	});
	app.route({
		method: "GET",
		url: "/alerts/stats",
		schema: { tags, summary: "How much alert rules found", querystring: AccountQuery, response: { 200: AlertStats } },
		config: { guard: reading },
		handler: async (request) => presentStats(await alertStats(deps, request.site.id)),
	});
}
