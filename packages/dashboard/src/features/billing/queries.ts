import { queryOptions } from "@tanstack/react-query";
import type { Answer } from "../../api/client.ts";
import { read } from "../../api/read.ts";

export type Plan = Answer<"GET /billing/plans">[number];
export type Tier = Plan["tier"];
export type Usage = Answer<"GET /billing/usage/current">;
export type Overview = Answer<"GET /billing/overview">;
export type Subscription = NonNullable<Overview["subscription"]>;

export type Coupon = Answer<"POST /billing/coupons/validate">;
export type Interval = Subscription["billing_interval"];

/** All plans, the smallest first. */
export const plansQuery = queryOptions({ ...read("GET /billing/plans"), staleTime: 3_600_000 });

/** Usage of an organization's plan. */
export const usageQuery = (org_id: string) =>
	queryOptions({ ...read("GET /billing/usage/current", { query: { org_id } }), staleTime: 600_000 });

export const monthsQuery = (org_id: string) => read("GET /billing/usage/history", { query: { org_id } });

export const overageQuery = (org_id: string) => read("GET /billing/overage-status", { query: { org_id } });

/** Subscription of an organization and its next change. */
export const overviewQuery = (org_id: string) => read("GET /billing/overview", { query: { org_id } });

export const invoicesQuery = (org_id: string) => read("GET /billing/invoices", { query: { org_id } });

export const changesQuery = (org_id: string) => read("GET /billing/subscription/history", { query: { org_id } });

export const accountingQuery = (org_id: string) => read("GET /billing/accounting-email", { query: { org_id } });
