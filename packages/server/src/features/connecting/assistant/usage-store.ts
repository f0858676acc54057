import { tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** Questions of a site in a month of its time zone. */
export interface MonthOfSite {
	readonly siteId: string;
	/** As `2026-11`. */
	readonly month: string;
}

/** Questions in a month, and the operator's bonus. */
export interface Usage {
	readonly questions: number;
	readonly bonus: number;
}

/** Questions of a site in a month. */
export async function findUsage(metadata: Metadata, { siteId, month }: MonthOfSite): Promise<Usage> {
	const row = await tables(metadata)
		.selectFrom("assistant_usage")
		.select(["questions", "bonus"])
		.where("site_id", "=", siteId)
		.where("month", "=", month)
		.executeTakeFirst();
	return row ?? { questions: 0, bonus: 0 };
}

async function beginMonth(metadata: Metadata, { siteId, month }: MonthOfSite): Promise<void> {
	await tables(metadata)
		.insertInto("assistant_usage")
		.values({ site_id: siteId, month, questions: 0, bonus: 0 })
		.onConflict((conflict) => conflict.columns(["site_id", "month"]).doNothing())
		.execute();
}

/** Counts a question when there is one left; one statement decides, so that several processes give out none twice. */
export async function takeQuestion(metadata: Metadata, of: MonthOfSite, most: number): Promise<boolean> {
	await beginMonth(metadata, of);
	const taken = await tables(metadata)
		.updateTable("assistant_usage")
		.set((usage) => ({ questions: usage("questions", "+", 1) }))
		.where("site_id", "=", of.siteId)
		.where("month", "=", of.month)
		.where((usage) => usage("questions", "<", usage("bonus", "+", most)))
		.returning("questions")
		.execute();
	return taken.length === 1;
}

/** Takes back a question that was not answered. */
export async function giveQuestionBack(metadata: Metadata, { siteId, month }: MonthOfSite): Promise<void> {
	await tables(metadata)
		.updateTable("assistant_usage")
		.set((usage) => ({ questions: usage("questions", "-", 1) }))
		.where("site_id", "=", siteId)
		.where("month", "=", month)
		.where("questions", ">", 0)
		.execute();
}

/** Sets how many questions a site has beyond the usual number in a month. */
export async function writeBonus(metadata: Metadata, of: MonthOfSite, bonus: number): Promise<void> {
	await beginMonth(metadata, of);
	await tables(metadata)
		.updateTable("assistant_usage")
		.set({ bonus })
		.where("site_id", "=", of.siteId)
		.where("month", "=", of.month)
		.execute();
}
