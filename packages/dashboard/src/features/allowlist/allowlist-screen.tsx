import { may } from "../../api/may.ts";
import { NeedsRole, PlanLock } from "../settings/index.ts";
import { ScreenHead, useSite } from "../site/index.ts";
import styles from "./allowlist.module.css";
import { PatternsCard } from "./patterns-card.tsx";
import { RuleCard } from "./rule-card.tsx";
import { TesterCard } from "./tester-card.tsx";
import { t } from "./texts.ts";
import { VisitsCard } from "./visits-card.tsx";

/** From which addresses a site may be opened. Admins alone see it. */
export function AllowlistScreen() {
	const site = useSite();
	const isAdmin = may("PUT /ip-allowlist/settings", site.role);
	return (
		<>
			<ScreenHead title={t.title} />
			<p className={styles.intro}>{t.intro}</p>
			<PlanLock feature="ip_allowlist" />
			{isAdmin ? (
				<>
					<RuleCard />
					<PatternsCard />
					<TesterCard />
					<VisitsCard />
				</>
			) : (
				<NeedsRole least="admin" />
			)}
		</>
	);
}
