import { Card } from "../../ui/card/card.tsx";
import { Secret } from "../../ui/secret/secret.tsx";
import styles from "./developers.module.css";
import { t } from "./texts.ts";
import { verifySignature } from "./verify-signature.ts";

/** How a server of the reader's is told, and how it knows who tells. */
export const WebhooksCard = () => (
	<Card
		title={t.webhooks}
		actions={
			<a href="/docs#tag/webhooks" target="_blank" rel="noreferrer">
				{t.webhooksGuide}
			</a>
		}
	>
		<div className={styles.part}>
			<p className={styles.muted}>{t.webhooksText}</p>
			<Secret label={t.verify} value={verifySignature} isShownOnce={false} />
		</div>
	</Card>
);
