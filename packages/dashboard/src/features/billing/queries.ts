import { queryOptions } from "@tanstack/react-query";
import { type Answer, call } from "../../api/client.ts";

export type Plan = Answer<"GET /billing/plans">[number];
export type Tier = Plan["tier"];
export type Usage = Answer<"GET /billing/usage/current">;
export type Overview = Answer<"GET /billing/overview">;
export type Subscription = NonNullable<Overview["subscription"]>;

export type Coupon = Answer<"POST /billing/coupons/validate">;
export type Interval = Subscription["billing_interval"];

/** All plans, the smallest first. */
export const plansQuery = queryOptions({
	queryKey: ["GET /billing/plans"],
	queryFn: ({ signal }) => call("GET /billing/plans", { signal }),
	staleTime: 3_600_000,
});

/** Usage of an organization's plan. */
export const usageQuery = (org_id: string) =>
	queryOptions({
		queryKey: ["GET /billing/usage/current", org_id],
		queryFn: ({ signal }) => call("GET /billing/usage/current", { query: { org_id }, signal }),
		staleTime: 600_000,
	});

export const monthsQuery = (org_id: string) =>
	queryOptions({
		queryKey: ["GET /billing/usage/history", org_id],
		queryFn: ({ signal }) => call("GET /billing/usage/history", { query: { org_id }, signal }),
	});

export const overageQuery = (org_id: string) =>
	queryOptions({
		queryKey: ["GET /billing/overage-status", org_id],
		queryFn: ({ signal }) => call("GET /billing/overage-status", { query: { org_id }, signal }),
	});

/** Subscription of an organization and its next change. */
export const overviewQuery = (org_id: string) =>
	queryOptions({
		queryKey: ["GET /billing/overview", org_id],
		queryFn: ({ signal }) => call("GET /billing/overview", { query: { org_id }, signal }),
	});

export const invoicesQuery = (org_id: string) =>
	queryOptions({
		queryKey: ["GET /billing/invoices", org_id],
		queryFn: ({ signal }) => call("GET /billing/invoices", { query: { org_id }, signal }),
	});

export const changesQuery = (org_id: string) =>
	queryOptions({
		queryKey: ["GET /billing/subscription/history", org_id],
		queryFn: ({ signal }) => call("GET /billing/subscription/history", { query: { org_id }, signal }),
	});

export const accountingQuery = (org_id: string) =>
	queryOptions({
		queryKey: ["GET /billing/accounting-email", org_id],
		queryFn: ({ signal }) => call("GET /billing/accounting-email", { query: { org_id }, signal }),
	});
