import { DAY_MS } from "../../../../platform/lib/durations.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { countSiteChange, findSite, sites } from "../store.ts";

/** Days of a site that are deleted, and until when hits count as deleted with them. */
export interface ForgottenDays {
	/** `YYYY-MM-DD`, as `to`; null = no bound. */
	readonly from: string | null;
	readonly to: string | null;
	/** Milliseconds since the Unix epoch: hits received later are kept. */
	readonly until: number;
}

/** A visit that has run for longer has long had whatever rows it gets on the day of its entrance. */
const KEPT_MS = 2 * DAY_MS;

/** Whether something that was received at a moment, booked to a day, is deleted with these days. */
export const coversHit = ({ from, to, until }: ForgottenDays, date: string, at: number): boolean =>
	at <= until && (from === null || date >= from) && (to === null || date <= to);

/**
 * Lets every collector forget the running visits of a site that began on these days: they start again with their next hit, so that
 * nothing is added to what is deleted. Within a transaction of the caller, who refreshes the directory.
 */
export async function forgetVisits(metadata: Metadata, siteId: string, days: ForgottenDays): Promise<void> {
	const site = await findSite(metadata, siteId);
	const before = readForgottenDays(site?.forgotten_visits ?? null);
	const kept = before.filter(({ until }) => until > days.until - KEPT_MS);
	await sites.update(metadata, { id: siteId }, { forgotten_visits: JSON.stringify([...kept, days]) });
	await countSiteChange(metadata, [siteId]);
}

export const readForgottenDays = (text: string | null): readonly ForgottenDays[] =>
	text === null ? [] : JSON.parse(text);
