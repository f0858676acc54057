import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Card } from "../../ui/card/card.tsx";
import { Select } from "../../ui/field/field.tsx";
import { Secret } from "../../ui/secret/secret.tsx";
import { assistants, configWithKey } from "./assistants.ts";
import styles from "./developers.module.css";
import { t } from "./texts.ts";

/** The address for assistants, with what each of them wants to be told. */
export function AssistantsCard() {
	const url = `${location.origin}/mcp`;
	const [chosen, setChosen] = useState<string>(assistants[0][0]);
	const [, name, config] = assistants.find(([key]) => key === chosen) ?? assistants[0];
	return (
		<Card title={t.assistants} actions={<Link to="/account/apps">{t.apps}</Link>}>
			<div className={styles.part}>
				<p className={styles.muted}>{t.assistantsText}</p>
				<Secret label={t.address} value={url} isShownOnce={false} />
				<div className={styles.narrow}>
					<Select label={t.client} value={chosen} onChange={({ target }) => setChosen(target.value)}>
						{assistants.map(([key, label]) => (
							<option key={key} value={key}>
								{label}
							</option>
						))}
					</Select>
				</div>
				{config === undefined ? (
					<p>{t.byHand}</p>
				) : (
					<Secret key={name} label={t.config} value={config(url)} isShownOnce={false} />
				)}
				<Secret label={t.withKey} value={configWithKey(url, t.placeholder)} isShownOnce={false} />
			</div>
		</Card>
	);
}
