import { useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Check, Field } from "../../ui/field/field.tsx";
import { Problem } from "../../ui/page/form-page.tsx";
import { type Site, valueName } from "../site/index.ts";
import styles from "./channels.module.css";
import { ruleWords } from "./rule-words.ts";
import { t } from "./texts.ts";

type Verdict = Answer<"POST /channel-groups/test">;

/** Says which channel a visit would get, and by which rule. */
export function TesterCard({ site }: { readonly site: Site }) {
	const [verdict, setVerdict] = useState<Verdict>();
	const form = useForm(async (values) => {
		setVerdict(
			await call("POST /channel-groups/test", {
				query: { account_id: site.id },
				body: {
					source: textOf(values, "source").trim(),
					medium: textOf(values, "medium").trim(),
					campaign: textOf(values, "campaign").trim(),
					include_inactive: values.has("include_inactive"),
				},
			}),
		);
	});
	return (
		<Card title={t.tester}>
			<p className={styles.hint}>{t.testerHint}</p>
			<form className={styles.tester} onSubmit={form.onSubmit} onInput={() => setVerdict(undefined)}>
				<Problem failure={form.failure} />
				<div className={styles.visit}>
					{(["source", "medium", "campaign"] as const).map((name) => (
						<Field
							key={name}
							label={t.fields[`${name}_pattern`]}
							name={name}
							maxLength={255}
							autoComplete="off"
							autoCapitalize="none"
							spellCheck={false}
							error={form.errorOf(name)}
						/>
					))}
				</div>
				<Check label={t.askDrafts} name="include_inactive" />
				<div className={styles.actions}>
					<Button type="submit" disabled={form.isBusy}>
						{t.ask}
					</Button>
					<p role="status">{verdict && wordsOf(verdict)}</p>
				</div>
			</form>
		</Card>
	);
}

function wordsOf({ channel, matched_rule: rule }: Verdict): string {
	const name = valueName("channel_group", channel);
	if (rule === null) return t.verdictNone(name);
	return rule.is_default ? t.verdictBuiltIn(name) : t.verdictOwn(name, ruleWords(rule));
}
