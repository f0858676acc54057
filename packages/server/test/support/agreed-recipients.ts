import type { Tables } from "../../migrations/metadata/tables/index.ts";
import type { TestApp } from "./test-app.ts";

/** Lets addresses agree to mails about a site, as if they had answered the question. */
export async function letAgree(
	{ metadata, clock }: Pick<TestApp, "metadata" | "clock">,
	site: string,
	addresses: readonly string[],
): Promise<void> {
	const nowMs = clock.now();
	const answer = { asked_at: nowMs, agreed_at: nowMs, refused_at: null };
	for (const email of addresses) {
		await metadata
			.withTables<Tables>()
			.insertInto("mail_recipients")
			.values({ site_id: site, email, ...answer })
			.onConflict((conflict) => conflict.columns(["site_id", "email"]).doUpdateSet(answer))
			.execute();
	}
}

/** True for the mail that asks whether somebody wants mails about a site. */
export const isQuestion = ({ subject }: { readonly subject: string }): boolean =>
	subject.startsWith("Receive emails about ");
