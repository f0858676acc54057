import { useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { classes } from "../../lib/classes.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Problem } from "../../ui/page/form-page.tsx";
import { useSite } from "../site/index.ts";
import styles from "./allowlist.module.css";
import { t } from "./texts.ts";

type Outcome = Answer<"POST /ip-allowlist/check">;

/** Asks the list about any address. */
export function TesterCard() {
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
			<form className={styles.form} onSubmit={form.onSubmit}>
				<p className={styles.hint}>{t.testerHint}</p>
				<Problem failure={form.failure} />
				<div className={styles.row}>
					<Field
						label={t.address}
						name="ip_address"
						required
						maxLength={64}
						autoComplete="off"
						autoCapitalize="none"
						spellCheck={false}
						error={form.errorOf("ip_address")}
					/>
					<Button type="submit" disabled={form.isBusy}>
						{t.try}
					</Button>
				</div>
				<div role="status" className={styles.status}>
					{outcome && (
						<p className={classes(styles.own, outcome.is_allowed ? styles.good : styles.warn)}>{wordsOf(outcome)}</p>
					)}
				</div>
			</form>
		</Card>
	);
}

function wordsOf({ ip_address: address, is_allowed: isAllowed, matched_pattern: pattern }: Outcome): string {
	if (pattern !== null) return t.allowed(address, pattern.label ?? pattern.pattern);
	return isAllowed ? t.open(address) : t.denied(address);
}
