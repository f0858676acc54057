import type { Static } from "typebox";
import { AccountQuery, readingAccount, writingAccount } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
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
	addRoute(app, "GET /alerts/history", {
		tags,
		summary: "Alerts",
		querystring: HistoryQuery,
		guard: reading,
		answer: AlertList,
		errors: errorAnswers("bad_request"),
		handler: async (request) => {
			const { rule_id: ruleId, status, limit, offset } = request.query;
			const days = stretchOf(request.query, request.site.timezone);
			const filter = { siteId: request.site.id, ruleId, status, ...days, limit, offset };
			const { rows, total } = await listAlerts(deps.metadata, filter);
			return { alerts: rows.map(presentAlert), total };
		},
	});
	addRoute(app, "PATCH /alerts/history/:alert_id", {
		tags,
		summary: "Acknowledge, resolve or dismiss an alert",
		params: AlertParams,
		querystring: AccountQuery,
		body: ChangeAlertBody,
		guard: writing,
		answer: Alert,
		errors: { 409: { description: "`conflict`: the alert has ended", ...ErrorRef } },
		handler: async (request) => {
			const { status, notes } = request.body;
			const { userId } = request.caller;
			const verdict = { siteId: request.site.id, id: request.params.alert_id, userId, status, notes };
			return presentAlert(await judgeAlert(deps, verdict));
		},
	});
	addRoute(app, "GET /alerts/stats", {
		tags,
		summary: "Number of alerts",
		querystring: AccountQuery,
		guard: reading,
		answer: AlertStats,
		handler: async (request) => presentStats(await alertStats(deps, request.site.id)),
	});
}
