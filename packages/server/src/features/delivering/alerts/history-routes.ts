import type { Static } from "typebox";
import { AccountQuery, readingAccount, writingAccount } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { ErrorRef } from "../../../platform/http/schemas.ts";
import type { AlertDeps } from "./deps.ts";
import { type AlertRow, alertStats, changeAlert, findAlert, listAlerts } from "./history-store.ts";
import { closeWithin } from "./incidents.ts";
import { presentAlert } from "./present.ts";
import { Alert, AlertList, AlertParams, AlertStats, ChangeAlertBody, HistoryQuery } from "./schemas.ts";
import { listRules } from "./store.ts";
import type { AlertStatus, SettableStatus } from "./vocabulary.ts";

/** States with the states before them; an ended alert does not begin again. */
const reachedFrom: Readonly<Record<SettableStatus, readonly AlertStatus[]>> = {
	acknowledged: ["active", "acknowledged"],
	resolved: ["active", "acknowledged", "resolved"],
	false_positive: ["active", "acknowledged", "resolved", "false_positive"],
};

/** Notes what a user makes of an entry; `resolved` and `false_positive` close its incident. Throws `not_found` and `conflict`. */
function judgeAlert(
	deps: Pick<AlertDeps, "metadata" | "clock" | "events">,
	{
		siteId,
		id,
		userId,
		status: wanted,
		notes,
	}: Static<typeof ChangeAlertBody> & {
		readonly siteId: string;
		readonly id: number;
		readonly userId: number;
	},
): Promise<AlertRow> {
	const nowMs = deps.clock.now();
	return deps.metadata.transaction().execute(async (trx) => {
		const known = await findAlert(trx, id);
		if (known?.site_id !== siteId) throw new ServiceError("not_found", { message: "Alert not found" });
		const status = wanted ?? (known.status === "active" ? "acknowledged" : known.status);
		if (status !== "acknowledged") await closeWithin(deps, trx, known, { status });
		const changed = await changeAlert(
			trx,
			{ siteId, id, from: reachedFrom[status] },
			{
				status,
				...(known.acknowledged_at === null && { acknowledged_at: nowMs, acknowledged_by: userId }),
				...(notes !== undefined && { notes }),
			},
		);
		if (changed === undefined) throw new ServiceError("conflict", { message: `The alert is ${known.status} already` });
		return changed;
	});
}

const tags = ["Alerts"];
const reading = { tags, querystring: AccountQuery, guard: readingAccount("viewer") };
const writing = { tags, querystring: AccountQuery, guard: writingAccount("editor") };

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

export function registerHistory(app: App, deps: AlertDeps): void {
	addRoute(app, "GET /alerts/history", {
		...reading,
		summary: "Alerts",
		querystring: HistoryQuery,
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
		...writing,
		summary: "Acknowledge, resolve or dismiss an alert",
		params: AlertParams,
		body: ChangeAlertBody,
		answer: Alert,
		errors: { 409: { description: "`conflict`: the alert has ended", ...ErrorRef } },
		handler: async (request) => {
			const { site, params, caller, body } = request;
			const by = { siteId: site.id, id: params.alert_id, userId: caller.userId };
			return presentAlert(await judgeAlert(deps, { ...body, ...by }));
		},
	});
	addRoute(app, "GET /alerts/stats", {
		...reading,
		summary: "Number of alerts",
		answer: AlertStats,
		handler: async ({ site }) => ({
			active_rules: (await listRules(deps.metadata, site.id, false)).length,
			...(await alertStats(deps.metadata, site.id, deps.clock.now())),
		}),
	});
}
