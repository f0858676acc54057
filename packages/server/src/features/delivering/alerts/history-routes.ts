import { type Static, Type } from "typebox";
import { AccountQuery, account, readingAccount, writingAccount } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { ErrorRef, Id, limitAndOffset, Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { given } from "../../../platform/lib/given.ts";
import type { AlertDeps } from "./deps.ts";
import { closeWithin } from "./incidents.ts";
import type { CustomCondition } from "./rule-fields.ts";
import { type AlertRow, alertHistory, alertRules, alertStats } from "./store.ts";
import {
	type AlertStatus,
	alertMetricNames,
	alertStatuses,
	alertTypes,
	channels,
	type SettableStatus,
	settableStatuses,
	severities,
} from "./vocabulary.ts";

const day = (which: string) =>
	Type.String({ format: "date", description: `${which} on which the alerts started, in the site's time zone` });

const HistoryQuery = Type.Object({
	...account,
	rule_id: Type.Optional(Id()),
	status: Type.Optional(OneOf(alertStatuses)),
	from_date: Type.Optional(day("First day")),
	to_date: Type.Optional(day("Last day")),
	...limitAndOffset({ limit: 50, max: 200 }),
});

const ChangeAlertBody = Type.Object({
	status: Type.Optional(
		OneOf(settableStatuses, {
			description: "Default: an active alert is acknowledged, others stay unchanged",
		}),
	),
	notes: Type.Optional(Nullable(Type.String({ maxLength: 1000, "x-characters": "lines" }))),
});

const Alert = Type.Object({
	id: Type.Integer({ description: "`alert_id` in events" }),
	rule_id: Type.Integer({ description: "May refer to a deleted rule" }),
	rule_name: Type.String(),
	account_id: Type.String(),
	alert_type: OneOf(alertTypes),
	metric: OneOf(alertMetricNames),
	severity: OneOf(severities),
	current_value: Type.Number(),
	baseline_value: Nullable(Type.Number()),
	change_percentage: Nullable(Type.Number()),
	triggered_at: Timestamp(),
	resolved_at: Nullable(Timestamp()),
	period_start: Timestamp(),
	period_end: Timestamp(),
	context: Nullable(Type.Record(Type.String(), Type.Unknown()), {
		description: "The rule's `custom_condition` at the time",
	}),
	notification_sent: Type.Boolean(),
	notification_channels: Type.Array(OneOf(channels)),
	notification_error: Nullable(Type.String()),
	acknowledged_at: Nullable(Timestamp()),
	acknowledged_by: Nullable(Type.Integer()),
	notes: Nullable(Type.String()),
	status: OneOf(alertStatuses),
});

const presentAlert = (row: AlertRow) => {
	const sent = channels.filter((channel) => row[`${channel}_sent`] === 1);
	return {
		...presentRow(Alert, row),
		account_id: row.site_id,
		context:
			row.context === null ? null : ({ ...JSON.parse(row.context) } as CustomCondition & Record<string, unknown>),
		notification_sent: sent.length > 0,
		notification_channels: sent,
	};
};

/** States with the states before them; an ended alert does not begin again. */
const reachedFrom: Readonly<Record<SettableStatus, readonly AlertStatus[]>> = {
	acknowledged: ["active", "acknowledged"],
	resolved: ["active", "acknowledged", "resolved"],
	false_positive: ["active", "acknowledged", "resolved", "false_positive"],
};

/** Notes what a user makes of an entry; `resolved` and `false_positive` close its incident. Throws `not_found` and `conflict`. */
function judgeAlert(
	deps: Pick<AlertDeps, "metadata" | "clock" | "events">,
	{ siteId, id, userId }: { readonly siteId: string; readonly id: number; readonly userId: number },
	{ status: wanted, notes }: Static<typeof ChangeAlertBody>,
): Promise<AlertRow> {
	const nowMs = deps.clock.now();
	return deps.metadata.transaction().execute(async (trx) => {
		const known = await alertHistory.find(trx, { site_id: siteId, id });
		if (known === undefined) throw new ServiceError("not_found", "Alert not found");
		const status = wanted ?? (known.status === "active" ? "acknowledged" : known.status);
		if (status !== "acknowledged") await closeWithin(deps, trx, known, { status });
		const changed = await alertHistory.update(
			trx,
			{ site_id: siteId, id, status: reachedFrom[status] },
			{
				status,
				...(known.acknowledged_at === null && { acknowledged_at: nowMs, acknowledged_by: userId }),
				...(notes !== undefined && { notes }),
			},
		);
		if (changed === undefined) throw new ServiceError("conflict", `The alert is ${known.status} already`);
		return changed;
	});
}

/** The moments between which days of a time zone lie; throws `bad_request` when they end before they begin. */
function stretchOf({ from_date: from, to_date: to }: Static<typeof HistoryQuery>, timezone: string) {
	if (from !== undefined && to !== undefined && from > to) {
		throw new ServiceError("bad_request", "from_date must not be after to_date");
	}
	const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime(timezone).epochMilliseconds;
	return {
		">=": from === undefined ? undefined : startOf(Temporal.PlainDate.from(from)),
		"<": to === undefined ? undefined : startOf(Temporal.PlainDate.from(to).add({ days: 1 })),
	};
}

const tags = ["Alerts"];
export const reading = { tags, querystring: AccountQuery, guard: readingAccount("viewer") };
export const writing = { tags, querystring: AccountQuery, guard: writingAccount("editor") };

export function registerHistory(app: App, deps: AlertDeps): void {
	addRoute(app, "GET /alerts/history", {
		...reading,
		summary: "Alerts",
		querystring: HistoryQuery,
		answer: Type.Object({ alerts: Type.Array(Alert), total: Type.Integer() }),
		errors: ["bad_request"],
		handler: async (request) => {
			const { site, query } = request;
			const triggered_at = stretchOf(query, site.timezone);
			const where = { ...given(query, ["rule_id", "status"]), site_id: site.id, triggered_at };
			const { rows, total } = await alertHistory.page(deps.metadata, where, ["triggered_at desc", "id desc"], query);
			return { alerts: rows.map(presentAlert), total };
		},
	});
	addRoute(app, "PATCH /alerts/history/:alert_id", {
		...writing,
		summary: "Acknowledge, resolve or dismiss an alert",
		params: Type.Object({ alert_id: Id() }),
		body: ChangeAlertBody,
		answer: Alert,
		errors: { 409: { description: "`conflict`: the alert has ended", ...ErrorRef } },
		handler: async (request) => {
			const { site, params, caller, body } = request;
			const by = { siteId: site.id, id: params.alert_id, userId: caller.userId };
			return presentAlert(await judgeAlert(deps, by, body));
		},
	});
	addRoute(app, "GET /alerts/stats", {
		...reading,
		summary: "Number of alerts",
		answer: Type.Object({
			active_rules: Type.Integer(),
			total_triggers_24h: Type.Integer(),
			total_triggers_7d: Type.Integer(),
			total_triggers_30d: Type.Integer(),
			unacknowledged_alerts: Type.Integer(),
			most_triggered_rule: Nullable(Type.String(), { description: "Name of the rule; in the last 30 days" }),
			last_trigger: Nullable(Timestamp()),
		}),
		handler: async ({ site }) => ({
			active_rules: await alertRules.count(deps.metadata, { site_id: site.id, is_active: 1 }),
			...(await alertStats(deps.metadata, site.id, deps.clock.now())),
		}),
	});
}
