import { useQuery } from "@tanstack/react-query";
import { Card } from "../../ui/card/card.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { ScreenHead, useLeadsOrganization, useSite } from "../site/index.ts";
import styles from "./bigquery.module.css";
import { ConnectCard } from "./connect-card.tsx";
import { LogCard } from "./log-card.tsx";
import { integrationQuery, isRunning, logsQuery, useBigQuery } from "./queries.ts";
import { SchemaCard } from "./schema-card.tsx";
import { StateCard } from "./state-card.tsx";
import { t } from "./texts.ts";

/** The figures of a site in BigQuery: connecting, how it stands, the syncs, the tables. */
export function BigQueryScreen() {
	const site = useSite();
	const changes = useBigQuery(site.id);
	const logs = useQuery(logsQuery(site.id, 1, false));
	const integration = useQuery(integrationQuery(site.id, logs.data?.logs.some(isRunning)));
	const mayConnect = useLeadsOrganization();
	return (
		<div className={styles.screen}>
			<ScreenHead title={t.title} />
			<p className={styles.intro}>{t.intro}</p>
			<Loaded query={integration}>
				{(found) =>
					found === null ? (
						<div className={styles.screen}>
							{mayConnect && <ConnectCard />}
							{mayConnect === false && (
								<Card label={t.connectTitle}>
									<p>{t.noneToSee}</p>
								</Card>
							)}
							<SchemaCard />
						</div>
					) : (
						<div className={styles.screen}>
							<StateCard integration={found} changes={changes} />
							<LogCard changes={changes} />
							<SchemaCard />
						</div>
					)
				}
			</Loaded>
		</div>
	);
}
