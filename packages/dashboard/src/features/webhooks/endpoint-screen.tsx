import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";
import { may } from "../../api/may.ts";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { PlanLock, usePlanHas } from "../settings/index.ts";
import { ScreenHead, useSite } from "../site/index.ts";
import { DeliveriesCard } from "./deliveries-card.tsx";
import { FactsCard } from "./facts-card.tsx";
import { HealthCard } from "./health-card.tsx";
import { type EndpointName, endpointQuery } from "./queries.ts";
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
