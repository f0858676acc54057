import { InvalidArgumentError } from "commander";
import { giveBonus, presentUsage, usageOf } from "../features/connecting/assistant/index.ts";
import { systemClock } from "../platform/lib/clock.ts";
import { type Output, printRecord } from "./print-records.ts";
import { siteNamed } from "./site-options.ts";
import { withMetadata } from "./with-metadata.ts";

const MOST = 1_000_000;

/** A number of questions. */
export function questionCount(text: string): number {
	if (/^\d{1,7}$/.test(text) && Number(text) <= MOST) return Number(text);
	throw new InvalidArgumentError(`A whole number from 0 to ${MOST} is needed.`);
}

/** `footfall sites questions <site>`: questions of a site to the assistant this month, and how many remain. */
export async function siteQuestions(
	id: string,
	{ bonus, ...output }: Output & { readonly bonus?: number },
): Promise<void> {
	await withMetadata(async ({ metadata }) => {
		const deps = { metadata, clock: systemClock };
		const site = await siteNamed(metadata, id);
		if (bonus !== undefined) await giveBonus(deps, site, bonus);
		printRecord({ id, ...presentUsage(await usageOf(deps, site)) }, output);
	});
}
