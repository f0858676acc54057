import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";
import { useState } from "react";
import { may } from "../../api/may.ts";
import { count, exact } from "../../lib/format.ts";
import { Card } from "../../ui/card/card.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { PlanLock, usePlanHas } from "../settings/index.ts";
import { ScreenHead, useSite } from "../site/index.ts";
import { DeliveriesCard } from "./deliveries-card.tsx";
import { FactsCard } from "./facts-card.tsx";
import { type EndpointName, endpointQuery, statsQuery } from "./queries.ts";
import { TestCard } from "./test-card.tsx";
import { t } from "./texts.ts";
import styles from "./webhooks.module.css";

/** One endpoint: address, health and deliveries. */
export function EndpointScreen() {
	const site = useSite();
	const { endpoint } = useParams({ strict: false }) as { endpoint: string };
	const name: EndpointName = { site: site.id, endpoint };
	const query = useQuery(endpointQuery(name));
	const isInPlan = usePlanHas("webhooks");
	const mayTest = isInPlan && may("POST /webhooks/{endpoint_id}/test", site.role);
	return (
		<>
			<div className={styles.head}>
				<Link to="/sites/$id/settings/webhooks" params={{ id: site.id }} className={styles.back}>
					<ChevronLeft size={16} aria-hidden="true" />
					{t.all}
				</Link>
				<ScreenHead title={query.data?.name ?? t.title} />
			</div>
			<PlanLock feature="webhooks" />
			<Loaded query={query}>
				{(record) => (
					<div className={styles.column}>
						<div className={styles.columns}>
							<FactsCard endpoint={record} />
							{mayTest ? <TestCard endpoint={record} /> : <HealthCard name={name} />}
						</div>
						{mayTest && <HealthCard name={name} />}
						<DeliveriesCard name={name} isActive={record.is_active} />
					</div>
				)}
			</Loaded>
		</>
	);
}

/** How an endpoint has fared. */
function HealthCard({ name }: { readonly name: EndpointName }) {
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
