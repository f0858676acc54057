import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Card } from "../../ui/card/card.tsx";
import { OuterFrame } from "../account/index.ts";
import { MakeKey } from "../keys/index.ts";
import { actingQuery } from "../site/index.ts";
import { AssistantsCard } from "./assistants-card.tsx";
import styles from "./developers.module.css";
import { FirstCallCard } from "./first-call-card.tsx";
import { t } from "./texts.ts";
import { WebhooksCard } from "./webhooks-card.tsx";

/** How programs and assistants come to the figures: a key, a call, an address, a signature. */
export const DevelopersScreen = () => (
	<OuterFrame title={t.title}>
		<div className={styles.stack}>
			<div className={styles.column}>
				<KeyCard />
				<FirstCallCard />
				<ReferenceCard />
			</div>
			<div className={styles.column}>
				<AssistantsCard />
				<WebhooksCard />
			</div>
		</div>
	</OuterFrame>
);

const ReferenceCard = () => (
	<Card title={t.more}>
		<ul className={styles.links}>
			<li>
				<a href="/help/api" target="_blank" rel="noreferrer">
					{t.guide}
				</a>
				<span className={styles.muted}>{t.guideText}</span>
			</li>
			<li>
				<a href="/docs" target="_blank" rel="noreferrer">
					{t.reference}
				</a>
				<span className={styles.muted}>{t.referenceText}</span>
			</li>
			<li>
				<a href="/api/v1/openapi.json" target="_blank" rel="noreferrer">
					{t.openapi}
				</a>
				<span className={styles.muted}>{t.openapiText}</span>
			</li>
		</ul>
	</Card>
);

/** API keys cannot be created during impersonation. */
function KeyCard() {
	const { data } = useQuery(actingQuery);
	if (data?.is_impersonating !== false) return null;
	return (
		<Card title={t.key} actions={<Link to="/account/tokens">{t.keys}</Link>}>
			<div className={styles.part}>
				<p className={styles.muted}>{t.keyText}</p>
				<MakeKey />
			</div>
		</Card>
	);
}
