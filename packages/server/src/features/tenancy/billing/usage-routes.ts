import { type Static, Type } from "typebox";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import { planOf, planTiers } from "../organizations/index.ts";
import { billedOrganization, OrganizationQuery, org, readingBilling } from "./billed-organization.ts";
import type { UsageDeps } from "./deps.ts";
import { judgedPeriods, type UsagePeriodRow, wasForgivenIn } from "./store.ts";
import { boundsOf, percentOf, type UsageNow, usageHistory, usageNow } from "./usage-now.ts";

const period = { period_start: Timestamp(), period_end: Timestamp() };
const counts = { human_events: Type.Integer(), agent_events: Type.Integer() };

export const usageShare = {
	...counts,
	event_limit: Nullable(Type.Integer()),
	percentage: Type.Number({ description: "Percentage of the limit; over 100 when exceeded" }),
	is_unlimited: Type.Boolean(),
};

const CurrentUsage = Type.Object({
	org_id: Type.String({ format: "uuid" }),
	plan_tier: OneOf(planTiers),
	status: OneOf(["ok", "warning", "exceeded", "stopped"], {
		description: "`warning`: 80 % or more; `exceeded`: collection continues; `stopped`: nothing is collected any more",
	}),
	...period,
	...usageShare,
	days_remaining: Type.Integer(),
	last_synced_at: Timestamp(),
});

const Overage = Type.Object({
	...period,
	plan_tier: OneOf(planTiers),
	event_limit: Type.Integer(),
	total_events: Type.Integer(),
	overage_percent: Type.Number(),
	is_forgiven: Type.Boolean(),
	action_taken: OneOf(["none", "forgiven", "notified", "upgraded"]),
});

const config = { tags: ["Billing"], guard: readingBilling };
const SHOWN_PERIODS = 12;

export function registerUsage(app: App, deps: UsageDeps): void {
	const { metadata } = deps;
	addRoute(app, "GET /billing/usage/current", {
		...config,
		summary: "Events of the current period, of all sites of the organization",
		querystring: OrganizationQuery,
		answer: CurrentUsage,
		handler: async (request) => presentUsage(await usageNow(deps, await billedOrganization(metadata, request))),
	});
	addRoute(app, "GET /billing/usage/history", {
		...config,
		summary: "Events by period, newest first",
		querystring: Type.Object({ ...org, limit: Type.Integer({ minimum: 1, maximum: 36, default: 12 }) }),
		answer: Type.Array(Type.Object({ ...period, ...counts })),
		handler: async (request) => {
			const organization = await billedOrganization(metadata, request);
			return usageHistory(deps, organization, request.query.limit);
		},
	});
	addRoute(app, "GET /billing/overage-status", {
		...config,
		summary: "Past periods, and the consequences of exceeding the plan",
		querystring: OrganizationQuery,
		answer: Type.Object({
			org_id: Type.String({ format: "uuid" }),
			history: Type.Array(Overage),
			forgiveness_available: Type.Boolean(),
			forgiveness_year: Type.Integer(),
		}),
		handler: async (request) => {
			const organization = await billedOrganization(metadata, request);
			const { id, plan_tier: plan } = organization;
			const { period } = await usageNow(deps, organization);
			const year = period.start.slice(0, 4);
			const isLimited = planOf(plan).monthlyEvents !== null;
			return {
				org_id: id,
				history: (await judgedPeriods(metadata, id, SHOWN_PERIODS)).map(presentOverage),
				forgiveness_available: isLimited && !(await wasForgivenIn(metadata, id, year)),
				forgiveness_year: Number(year),
			};
		},
	});
}

function statusOf({ share, isForEver }: UsageNow): Static<typeof CurrentUsage>["status"] {
	if (share.event_limit === null) return "ok";
	if (share.human_events >= share.event_limit) return isForEver ? "stopped" : "exceeded";
	return share.percentage >= 80 ? "warning" : "ok";
}

const presentUsage = (usage: UsageNow) => ({
	org_id: usage.organizationId,
	plan_tier: usage.plan,
	status: statusOf(usage),
	...boundsOf(usage.period.start, usage.period.end),
	...usage.share,
	days_remaining: usage.daysRemaining,
	last_synced_at: timestamp(usage.countedAt),
});

function presentOverage(row: UsagePeriodRow): Static<typeof Overage> {
	const excess = Math.max(row.total_events - row.event_limit, 0);
	const bounds = boundsOf(row.period_start, row.period_end);
	return { ...presentRow(Overage, row), ...bounds, overage_percent: percentOf(excess, row.event_limit) };
}
