import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { planOf } from "../organizations/index.ts";
import { billedOrganization, readingBilling } from "./billed-organization.ts";
import type { UsageDeps } from "./deps.ts";
import { presentOverage, presentPeriod, presentUsage } from "./present.ts";
import { CurrentUsage, OrganizationQuery, OverageStatus, UsageHistory, UsageHistoryQuery } from "./schemas.ts";
import { usageHistory, usageNow } from "./usage-now.ts";
import { judgedPeriods, wasForgivenIn } from "./usage-store.ts";

const tags = ["Billing"];
const config = { guard: readingBilling };
const SHOWN_PERIODS = 12;

/** Routes on what an organization uses of its plan. */
export function registerUsage(app: App, deps: UsageDeps): void {
	const { metadata } = deps;
	addRoute(app, "GET /billing/usage/current", {
		tags,
		summary: "Events of the current period, of all sites of the organization",
		querystring: OrganizationQuery,
		...config,
		answer: CurrentUsage,
		handler: async (request) => {
			const organization = await billedOrganization(metadata, request.caller, request.query.org_id);
			return presentUsage(await usageNow(deps, organization));
		},
	});
	addRoute(app, "GET /billing/usage/history", {
		tags,
		summary: "Events by period, newest first",
		querystring: UsageHistoryQuery,
		...config,
		answer: UsageHistory,
		handler: async (request) => {
			const { org_id: id, limit } = request.query;
			const organization = await billedOrganization(metadata, request.caller, id);
			return (await usageHistory(deps, organization, limit)).map(presentPeriod);
		},
	});
	addRoute(app, "GET /billing/overage-status", {
		tags,
		summary: "Past periods, and the consequences of exceeding the plan",
		querystring: OrganizationQuery,
		...config,
		answer: OverageStatus,
		handler: async (request) => {
			const organization = await billedOrganization(metadata, request.caller, request.query.org_id);
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
