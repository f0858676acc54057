import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { count, exact } from "../../lib/format.ts";
import { Card } from "../../ui/card/card.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { type EndpointName, statsQuery } from "./queries.ts";
import { t } from "./texts.ts";
import styles from "./webhooks.module.css";

/** How an endpoint has fared. */
export function HealthCard({ name }: { readonly name: EndpointName }) {
	const [hours, setHours] = useState("24");
	const query = useQuery({ ...statsQuery(name, Number(hours)), placeholderData: keepPreviousData });
	return (
		<Card
			title={t.health}
			actions={
				<select
					aria-label={t.window}
					className={styles.choice}
					value={hours}
					onChange={(event) => setHours(event.target.value)}
				>
					{Object.entries(t.hours).map(([value, label]) => (
						<option key={value} value={value}>
							{label}
						</option>
					))}
				</select>
			}
		>
			<Loaded query={query} isEmpty={({ stats }) => stats.total_deliveries === 0} empty={<p>{t.noDeliveries}</p>}>
				{({ stats }) => (
					<dl className={styles.figures}>
						<Figure label={t.total} value={count(stats.total_deliveries)} />
						<Figure
							label={t.rate}
							value={stats.successful + stats.failed === 0 ? "–" : exact(stats.success_rate, "rate")}
						/>
						<Figure label={t.time} value={t.ms(count(stats.avg_response_time_ms))} />
						<Figure label={t.pending} value={count(stats.pending)} />
					</dl>
				)}
			</Loaded>
		</Card>
	);
}

const Figure = ({ label, value }: { readonly label: string; readonly value: string }) => (
	<div>
		<dt>{label}</dt>
		<dd data-figure="">{value}</dd>
	</div>
);
