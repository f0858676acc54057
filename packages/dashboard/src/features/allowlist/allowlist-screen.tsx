import { useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { classes } from "../../lib/classes.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Card } from "../../ui/card/card.tsx";
import { Field, verbatim } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { NeedsRole, PlanLock } from "../settings/index.ts";
import { ScreenHead, useSite } from "../site/index.ts";
import styles from "./allowlist.module.css";
import { PatternsCard } from "./patterns-card.tsx";
import { RuleCard } from "./rule-card.tsx";
import { t } from "./texts.ts";
import { VisitsCard } from "./visits-card.tsx";

/** From which addresses a site may be opened. Admins alone see it. */
export function AllowlistScreen() {
	const site = useSite();
	const isAdmin = may("PUT /ip-allowlist/settings", site.role);
	return (
		<>
			<ScreenHead title={t.title} />
			<p className={styles.intro}>{t.intro}</p>
			<PlanLock feature="ip_allowlist" />
			{isAdmin ? (
				<>
					<RuleCard />
					<PatternsCard />
					<TesterCard />
					<VisitsCard />
				</>
			) : (
				<NeedsRole least="admin" />
			)}
		</>
	);
}

type Outcome = Answer<"POST /ip-allowlist/check">;

/** Asks the list about any address. */
function TesterCard() {
	const site = useSite();
	const [outcome, setOutcome] = useState<Outcome>();
	const form = useForm(async (values) => {
		setOutcome(undefined);
		setOutcome(
			await call("POST /ip-allowlist/check", {
				query: { account_id: site.id },
				body: { ip_address: textOf(values, "ip_address").trim() },
			}),
		);
	});
	return (
		<Card title={t.tester}>
			<Form form={form} className={styles.form} intro={<p className={styles.hint}>{t.testerHint}</p>}>
				<div className={styles.row}>
					<Field label={t.address} name="ip_address" required maxLength={64} {...verbatim} />
					<Submit look="plain">{t.try}</Submit>
				</div>
				<div role="status" className={styles.status}>
					{outcome && (
						<p className={classes(styles.own, outcome.is_allowed ? styles.good : styles.warn)}>{wordsOf(outcome)}</p>
					)}
				</div>
			</Form>
		</Card>
	);
}

function wordsOf({ ip_address: address, is_allowed: isAllowed, matched_pattern: pattern }: Outcome): string {
	if (pattern !== null) return t.allowed(address, pattern.label ?? pattern.pattern);
	return isAllowed ? t.open(address) : t.denied(address);
}
