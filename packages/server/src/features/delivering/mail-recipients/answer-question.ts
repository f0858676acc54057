import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { RecipientPageDeps } from "./deps.ts";
import type { Recipient } from "./recipient-link.ts";
import { ANSWER_MS } from "./standings.ts";
import { type AnswerRow, listAnswers, noteAnswer } from "./store.ts";

/** Last answer of a link's holder; `late` if it came after the deadline, or they have been asked again since. */
export type Answer = "none" | "yes" | "no" | "late";

/** Answer to the question of a link. */
export async function findAnswer(
	{ metadata, clock }: Pick<RecipientPageDeps, "metadata" | "clock">,
	recipient: Recipient,
): Promise<Answer> {
	return answerIn(await rowOf(metadata, recipient), recipient, clock.now());
}

async function rowOf(metadata: Metadata, { siteId, email }: Recipient): Promise<AnswerRow | undefined> {
	return (await listAnswers(metadata, siteId, [email]))[0];
}

function answerIn(row: AnswerRow | undefined, { askedAt }: Recipient, nowMs: number): Answer {
	if (row === undefined || row.asked_at !== askedAt) return "late";
	if (row.refused_at !== null) return "no";
	if (row.agreed_at !== null) return "yes";
	return askedAt > nowMs - ANSWER_MS ? "none" : "late";
}

/** Notes an answer: the first one in time, another one whenever somebody changes their mind. Answers what holds then. */
export function giveAnswer(
	{ metadata, clock }: Pick<RecipientPageDeps, "metadata" | "clock">,
	recipient: Recipient,
	given: "yes" | "no",
): Promise<Answer> {
	const nowMs = clock.now();
	return metadata.transaction().execute(async (trx) => {
		const before = answerIn(await rowOf(trx, recipient), recipient, nowMs);
		if (before === "late" || before === given) return before;
		await noteAnswer(trx, recipient, given === "yes" ? { agreed_at: nowMs, refused_at: null } : { refused_at: nowMs });
		return given;
	});
}
