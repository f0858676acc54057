import { useId, useState } from "react";
import { Card } from "../../ui/card/card.tsx";
import { Secret } from "../../ui/secret/secret.tsx";
import { Tabs } from "../../ui/tabs/tabs.tsx";
import { t } from "./delivery-texts.ts";
import type { Attempt, WholeDelivery } from "./queries.ts";
import { sentBody } from "./sent-body.ts";
import { type SnippetLanguage, snippetLanguages, verifySnippet } from "./verify-snippets.ts";
import styles from "./webhooks.module.css";

interface VerifyCardProps {
	readonly delivery: WholeDelivery;
	readonly attempts: readonly Attempt[];
	readonly url: string;
}

/** A program that checks the signature of this delivery, to find out why a receiver refuses it. */
export function VerifyCard({ delivery, attempts, url }: VerifyCardProps) {
	const panel = useId();
	const [language, setLanguage] = useState<SnippetLanguage>("node");
	const body = sentBody(delivery);
	const last = attempts.at(-1);
	if (last === undefined) return null;
	const timestamp = Math.floor(Date.parse(last.attempted_at) / 1000);
	return (
		<Card title={t.verify}>
			{body === undefined ? (
				<p className={styles.hint}>{t.noSnippet}</p>
			) : (
				<>
					<Tabs
						label={t.language}
						tabs={snippetLanguages.map((key) => ({ key, label: t.languages[key] }))}
						chosen={language}
						onChoose={setLanguage}
						panel={panel}
					/>
					<div id={panel} role="tabpanel" aria-label={t.languages[language]} className={styles.panel}>
						<p className={styles.hint}>{t.verifyHint[language]}</p>
						<Secret
							key={language}
							label={t.code}
							value={verifySnippet(language, { body, timestamp, url })}
							isShownOnce={false}
						/>
					</div>
				</>
			)}
		</Card>
	);
}
