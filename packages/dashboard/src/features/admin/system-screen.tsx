import { useQuery } from "@tanstack/react-query";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import styles from "./admin.module.css";
import { AdminFrame } from "./admin-frame.tsx";
import { HealthCard, MemoryCard, ServiceCard } from "./process-cards.tsx";
import { AccountsCard, HitsCard, MailCard, SpoolCard } from "./store-cards.tsx";
import { systemQuery } from "./system-query.ts";
import { KindsCard, SchedulesCard } from "./work-cards.tsx";

/** How the service fares, for who runs it. */
export const SystemScreen = () => (
	<AdminFrame screen="system">
		<Cards />
	</AdminFrame>
);

function Cards() {
	const system = useQuery(systemQuery);
	return (
		<Loaded query={system}>
			{(data) => (
				<div className={styles.screen}>
					<div className={styles.grid}>
						<HealthCard system={data} />
						<ServiceCard system={data} />
						<MemoryCard system={data} />
						<HitsCard system={data} />
						<AccountsCard system={data} />
						<SpoolCard system={data} />
						<MailCard system={data} />
					</div>
					<KindsCard system={data} />
					<SchedulesCard system={data} />
				</div>
			)}
		</Loaded>
	);
}
