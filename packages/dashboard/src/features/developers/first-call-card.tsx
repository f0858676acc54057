import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Card } from "../../ui/card/card.tsx";
import { Select } from "../../ui/field/field.tsx";
import { Secret } from "../../ui/secret/secret.tsx";
import { firstCall } from "../keys/index.ts";
import { sitesQuery } from "../site/index.ts";
import styles from "./developers.module.css";
import { t } from "./texts.ts";

/** A call that works as it stands, but for the key. */
export function FirstCallCard() {
	const { data } = useSuspenseQuery(sitesQuery);
	const [chosen, setChosen] = useState<string>();
	const site = data.sites.find(({ id }) => id === chosen) ?? data.sites[0];
	return (
		<Card title={t.call}>
			<div className={styles.part}>
				{site === undefined ? (
					<p>
						<Link to="/sites/new">{t.noSite}</Link>
					</p>
				) : (
					<>
						<p className={styles.muted}>{t.callText}</p>
						{data.sites.length > 1 && (
							<div className={styles.narrow}>
								<Select label={t.site} value={site.id} onChange={({ target }) => setChosen(target.value)}>
									{data.sites.map(({ id, name }) => (
										<option key={id} value={id}>
											{name}
										</option>
									))}
								</Select>
							</div>
						)}
						<Secret label={t.first} value={firstCall(["stats:read"], site.id, t.placeholder)} isShownOnce={false} />
					</>
				)}
			</div>
		</Card>
	);
}
